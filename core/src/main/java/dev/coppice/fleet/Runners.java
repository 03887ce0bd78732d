package dev.coppice.fleet;

import dev.coppice.kernel.RunnerId;

import java.util.List;
import java.util.Optional;

/** Every runner that has registered and was not taken off the list. */
public interface Runners {
    Optional<Runner> find(RunnerId id);

    void save(Runner runner);

    void remove(RunnerId id);

    List<Runner> all();
}
