package dev.coppice.ask;

import dev.coppice.kernel.SessionId;
import dev.coppice.word.Verdict;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An answer in advance: for a session and all below it, for a time, for the uses of tools that a
 * pattern selects.
 */
public record StandingAnswer(
        String id,
        SessionId session,
        String sessionName,
        ToolPattern pattern,
        Verdict verdict,
        @Nullable String reason,
        String madeBy,
        Instant made,
        Instant until,
        @Nullable Revoked revoked,
        Used used) {
    public record Revoked(String by, Instant at) {}

    /** The use of a standing answer: how often, and when last. */
    public record Used(long times, @Nullable Instant last) {
        public static final Used NEVER = new Used(0, null);
    }

    /**
     * Returns the deciding answer of those at a session and above it, the nearest first. The
     * nearest session with a matching answer decides; there DENY goes before ASK, and ASK before
     * ALLOW.
     */
    static Optional<StandingAnswer> deciding(List<StandingAnswer> above, ToolUse use) {
        StandingAnswer found = null;
        for (var answer : above) {
            if (!answer.pattern().matches(use)) continue;
            if (found != null && !found.session().equals(answer.session())) break;
            if (found == null || rank(answer.verdict()) > rank(found.verdict())) found = answer;
        }
        return Optional.ofNullable(found);
    }

    private static int rank(Verdict verdict) {
        return switch (verdict) {
            case ALLOW -> 0;
            case ASK -> 1;
            case DENY -> 2;
        };
    }

    public boolean holds(Instant now) {
        return revoked == null && now.isBefore(until);
    }
}
