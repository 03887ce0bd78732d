package dev.coppice.held;

import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.RunnerId;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Runners in memory. */
public final class HeldRunners implements Runners {
    private final HeldStore store;

    HeldRunners(HeldStore store) {
        this.store = store;
    }

    @Override
    public Optional<Runner> find(RunnerId id) {
        return Optional.ofNullable(store.now().runners.get(id.value()));
    }

    @Override
    public void save(Runner runner) {
        store.now().runners.put(runner.id().value(), runner);
    }

    @Override
    public void remove(RunnerId id) {
        store.now().runners.remove(id.value());
    }

    @Override
    public List<Runner> all() {
        return store.now().runners.values().stream()
                .sorted(Comparator.comparing(Runner::registered))
                .toList();
    }
}
