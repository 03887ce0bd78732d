package dev.coppice.held;

import dev.coppice.kernel.SessionId;
import dev.coppice.stop.StopId;
import dev.coppice.stop.TreeStop;
import dev.coppice.stop.TreeStops;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Stops of trees in memory. */
public final class HeldTreeStops implements TreeStops {
    private final HeldStore store;

    HeldTreeStops(HeldStore store) {
        this.store = store;
    }

    /** A stop, and the sessions that were live when it began. */
    record HeldStop(TreeStop stop, List<SessionId> members) {
        HeldStop {
            members = List.copyOf(members);
        }
    }

    public List<TreeStop> all() {
        return store.now().stops.values().stream().map(HeldStop::stop).toList();
    }

    @Override
    public void add(TreeStop stop, List<SessionId> members) {
        store.now().stops.put(stop.id().value(), new HeldStop(stop, members));
    }

    @Override
    public void save(TreeStop stop) {
        add(stop, membersOf(stop.id()));
    }

    @Override
    public Optional<TreeStop> find(StopId id) {
        return Optional.ofNullable(store.now().stops.get(id.value())).map(HeldStop::stop);
    }

    @Override
    public List<TreeStop> openIn(SessionId root) {
        return all().stream()
                .filter(s -> !s.isOver() && store.sessions().isWithin(s.top(), root))
                .toList();
    }

    @Override
    public List<TreeStop> open(int max) {
        return all().stream().filter(s -> !s.isOver()).limit(max).toList();
    }

    @Override
    public List<SessionId> membersOf(StopId id) {
        return Objects.requireNonNull(store.now().stops.get(id.value())).members();
    }
}
