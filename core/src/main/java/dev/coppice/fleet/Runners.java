package dev.coppice.fleet;

import dev.coppice.kernel.RunnerId;

import java.util.List;
import java.util.Optional;

/** All registered runners. */
public interface Runners {
    Optional<Runner> find(RunnerId id);

    void save(Runner runner);

    void remove(RunnerId id);

    List<Runner> all();
}
