package dev.coppice.sim.invariant;

import dev.coppice.journal.Entry;
import dev.coppice.sim.World;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** 6. Event numbers grow in commit order: a follower has every event up to its last number. */
public final class AFollowerMissesNothing implements Invariant {
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
        var there =
                world.entriesAfter(0).stream().map(Entry::number).filter(n -> n <= known).toList();
        // One direction only: events that the follower has seen may be hidden by now.
        return new HashSet<>(seen).containsAll(there)
                ? Optional.empty()
                : Optional.of(
                        "a follower at %d has seen %d of %d"
                                .formatted(known, seen.size(), there.size()));
    }
}
