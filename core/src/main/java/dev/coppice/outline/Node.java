package dev.coppice.outline;

import dev.coppice.kernel.SessionId;
import dev.coppice.session.StateWord;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A session of a tree, as far as its rows need it. The depth counts from the root, and the spending
 * includes all below.
 *
 * @param kind the kind by which siblings are folded
 * @param asksSince the time since which it waits for an answer of a person; null if it does not
 */
public record Node(
        SessionId id,
        String name,
        int depth,
        String state,
        String kind,
        long tokens,
        long costMicros,
        @Nullable Instant asksSince) {
    public boolean isAsking() {
        return asksSince != null;
    }

    public boolean hasFailed() {
        return StateWord.FAILED.contains(state);
    }

    public boolean isLive() {
        return StateWord.ALIVE.contains(state);
    }
}
