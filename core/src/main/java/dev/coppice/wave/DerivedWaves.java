package dev.coppice.wave;

import dev.coppice.kernel.SessionId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Undeclared waves: children of one session whose work overlaps. They depend on the times of the
 * members alone, not on the order in which their events came.
 */
public final class DerivedWaves {
    private static final String PREFIX = "overlap:";

    private DerivedWaves() {}

    /** The first member of a derived wave, which its id names; empty for any other id. */
    public static Optional<SessionId> firstMember(String wave) {
        if (!wave.startsWith(PREFIX)) return Optional.empty();
        var id = wave.substring(PREFIX.length());
        return SessionId.isValid(id) ? Optional.of(new SessionId(id)) : Optional.empty();
    }

    /** The reports of these waves, newest first, from children in the order of their starts. */
    public static List<WaveReport> among(List<WaveMember> children, Instant now) {
        var waves = new ArrayList<WaveReport>();
        var group = new ArrayList<WaveMember>();
        Instant until = null;
        for (var child : children) {
            var start = child.span().start();
            if (start == null) continue;
            if (until != null && !start.isBefore(until)) {
                close(group, waves, now);
                until = null;
            }
            group.add(child);
            var end = child.span().end() == null ? Instant.MAX : child.span().end();
            until = until == null || end.isAfter(until) ? end : until;
        }
        close(group, waves, now);
        return waves.reversed();
    }

    private static void close(List<WaveMember> group, List<WaveReport> waves, Instant now) {
        if (group.size() > 1) {
            var first = group.getFirst();
            var created = Objects.requireNonNull(first.span().start());
            var id = PREFIX + first.session();
            var wave = Wave.of(id, first.name() + " …", null, created);
            waves.add(new WaveReport(wave, List.of(), group, now));
        }
        group.clear();
    }
}
