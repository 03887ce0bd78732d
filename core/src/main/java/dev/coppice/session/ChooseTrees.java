package dev.coppice.session;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses trees to remove: the topmost sessions that match, each with its descendants. If only
 * ended sessions are wanted, no descendant may be live or have ended too recently.
 */
public final class ChooseTrees {
    private ChooseTrees() {}

    /** {@code names} with stars is a pattern of the whole name; without stars, a prefix. */
    public record Wanted(
            boolean ended, Duration age, @Nullable String names, @Nullable SessionId below) {
        boolean fits(Session session) {
            if (names == null) return true;
            return names.indexOf('*') < 0
                    ? session.name().startsWith(names)
                    : isLike(session.name(), names.split("\\*", -1));
        }

        /** Finds each part first after the previous one: takes linear time for any pattern. */
        private static boolean isLike(String name, String[] parts) {
            if (!name.startsWith(parts[0])) return false;
            int at = parts[0].length();
            for (int i = 1; i < parts.length - 1; i++) {
                int found = name.indexOf(parts[i], at);
                if (found < 0) return false;
                at = found + parts[i].length();
            }
            var last = parts[parts.length - 1];
            return name.length() - last.length() >= at && name.endsWith(last);
        }
    }

    /** {@code all} are the sessions that the caller may see. */
    public static List<Session> tops(List<Session> all, Wanted wanted, Instant now) {
        var seen = new HashMap<SessionId, Session>();
        var below = new HashMap<SessionId, List<Session>>();
        for (var session : all) seen.put(session.id(), session);
        var open = new ArrayDeque<Session>();
        for (var session : all) {
            var parent = session.place().parentId();
            if (parent != null) below.computeIfAbsent(parent, _ -> new ArrayList<>()).add(session);
            boolean isTop = parent == null || !seen.containsKey(parent);
            if (isTop && wanted.below() == null) open.add(session);
        }
        if (wanted.below() != null) open.addAll(below.getOrDefault(wanted.below(), List.of()));
        var before = now.minus(wanted.age());
        var chosen = new ArrayList<Session>();
        while (!open.isEmpty()) {
            var session = open.pop();
            boolean fits =
                    wanted.fits(session) && (!wanted.ended() || isAllEnded(session, below, before));
            if (fits) chosen.add(session);
            else open.addAll(below.getOrDefault(session.id(), List.of()));
        }
        return chosen;
    }

    private static boolean isAllEnded(
            Session top, Map<SessionId, List<Session>> below, Instant before) {
        var open = new ArrayDeque<>(List.of(top));
        while (!open.isEmpty()) {
            var session = open.pop();
            var ended = session.times().ended();
            boolean old =
                    session.state() instanceof SessionState.Ended
                            && ended != null
                            && !ended.isAfter(before);
            if (!old) return false;
            open.addAll(below.getOrDefault(session.id(), List.of()));
        }
        return true;
    }
}
