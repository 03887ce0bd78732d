package dev.coppice.held;

import dev.coppice.callback.Join;
import dev.coppice.callback.JoinId;
import dev.coppice.callback.Joins;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Joins in memory. */
public final class HeldJoins implements Joins {
    private final HeldStore store;

    HeldJoins(HeldStore store) {
        this.store = store;
    }

    public List<Join> all() {
        return List.copyOf(store.now().joins.values());
    }

    @Override
    public void add(Join join) {
        store.now().joins.put(join.id().value(), join);
    }

    @Override
    public void save(Join join) {
        store.now().joins.put(join.id().value(), join);
    }

    @Override
    public Optional<Join> find(JoinId id) {
        return Optional.ofNullable(store.now().joins.get(id.value()));
    }

    @Override
    public List<Join> waitingFor(RunId run) {
        return store.now().joins.values().stream()
                .filter(j -> j.isOpen() && j.members().stream().anyMatch(m -> m.run().equals(run)))
                .toList();
    }

    @Override
    public List<Join> openOf(SessionId by) {
        return all().stream().filter(j -> j.isOpen() && j.by().equals(by)).toList();
    }

    @Override
    public List<JoinId> dueAt(Instant now, int max) {
        return store.now().joins.values().stream()
                .filter(j -> j.isOpen() && !j.deadline().isAfter(now))
                .filter(j -> !store.isFrozen(j.by()))
                .map(Join::id)
                .limit(max)
                .toList();
    }
}
