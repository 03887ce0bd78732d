package dev.coppice.session;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses trees to remove: the topmost sessions that match, each with its descendants. If only
 * ended sessions are wanted, no descendant may be live or have ended too recently.
 */
public final class ChooseTrees {
    private static final int LOOKED_AT_MAX = 1_000;

    private ChooseTrees() {}

    /**
     * {@code names} with stars is a pattern of the whole name; without stars, a prefix. The caller
     * sees {@code own} and its descendants, or all if it is null.
     */
    public record Wanted(
            boolean ended,
            Duration age,
            @Nullable String names,
            @Nullable SessionId below,
            @Nullable SessionId own) {
        @Nullable SessionId top() {
            return below == null ? own : below;
        }

        /** True if the caller cannot see {@code below}. */
        boolean isOutOfSight(Sessions sessions) {
            if (below == null) return false;
            return sessions.find(below).isEmpty()
                    || (own != null && !sessions.isWithin(below, own));
        }

        boolean fits(Session session) {
            if (session.id().equals(below)) return false;
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

    /**
     * Looks at a bounded number of sessions, so a page may have few sessions or none, and not be
     * the last.
     */
    public static Slice<Session> tops(
            Sessions sessions, Wanted wanted, Instant now, Cursor cursor) {
        if (wanted.isOutOfSight(sessions)) return new Slice<>(List.of(), null);
        var by = now.minus(wanted.age());
        var chosen = new ArrayList<Session>();
        var place = cursor.after();
        long size = 0;
        for (int looked = 0; looked < LOOKED_AT_MAX; looked++) {
            var next = sessions.next(wanted.top(), place);
            if (next.isEmpty()) return new Slice<>(chosen, null);
            var session = next.get().session();
            boolean fits =
                    wanted.fits(session)
                            && (!wanted.ended() || sessions.haveAllEnded(session.id(), by));
            place = fits ? next.get().behindAll() : next.get().behind();
            if (!fits) continue;
            chosen.add(session);
            size += session.profile().metadata().value().length();
            if (chosen.size() == cursor.max() || size > Bounds.PAGE_BYTES_MAX) break;
        }
        return new Slice<>(chosen, place);
    }
}
