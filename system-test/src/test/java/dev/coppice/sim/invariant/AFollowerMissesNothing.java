package dev.coppice.sim.invariant;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.sim.World;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * 6. Event numbers grow in commit order: a follower has every event up to its last number. Only a
 * session that is hidden before the follower looks takes its newest events along; if it comes back,
 * the follower is told so.
 */
public final class AFollowerMissesNothing implements Invariant<World> {
    private final List<Long> seen = new ArrayList<>();

    @Override
    public Optional<String> broken(World world) {
        long last = seen.isEmpty() ? 0 : seen.getLast();
        for (var entry : world.followed(last)) {
            if (entry.number() <= last)
                return Optional.of("number " + entry.number() + " came late");
            last = entry.number();
            seen.add(last);
        }
        long known = last;
        // One direction only: events that the follower has seen may be hidden by now.
        var all = new HashSet<>(seen);
        var entries = world.entriesAfter(0);
        var missed =
                entries.stream()
                        .filter(entry -> entry.number() <= known && !all.contains(entry.number()))
                        .filter(entry -> !isBack(entry, entries))
                        .filter(entry -> !world.isComingBack(entry.session()))
                        .toList();
        return missed.isEmpty()
                ? Optional.empty()
                : Optional.of("a follower at %d has missed %s".formatted(known, missed));
    }

    private static boolean isBack(Entry missed, List<Entry> entries) {
        return entries.stream()
                .anyMatch(entry ->
                        entry.number() > missed.number()
                                && entry.session().equals(missed.session())
                                && entry.fact() instanceof Fact.SessionRestored);
    }
}
