package dev.coppice.boot;

import dev.coppice.request.Operation;
import dev.coppice.upkeep.Sweeps;
import dev.coppice.web.Route;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Operations and routes that another module adds to the server. */
public interface Face extends AutoCloseable {
    /** Work that is repeated while the coordinator runs; it returns how much was done. */
    record Routine(String name, Duration interval, IntSupplier work) {
        Sweeps.Sweep sweep() {
            return Sweeps.Sweep.routine(name, interval, work);
        }
    }

    /** Builds a face from the parts of the server. */
    interface Maker {
        Face on(Ground ground);
    }

    /** Each operation replaces the server's operation of the same name. */
    default List<Operation<?, ?>> operations() {
        return List.of();
    }

    /** The routes that are not operations. */
    default List<Route> routes() {
        return List.of();
    }

    /** The routes that are not operations, at a port for hooks. */
    default List<Route> routesAt(int port) {
        return routes();
    }

    default List<Routine> routines() {
        return List.of();
    }

    /** An endpoint of another protocol for all operations of the server. */
    default Optional<Endpoint> endpoint(Offer offer) {
        return Optional.empty();
    }

    /** Ends what the routines use. */
    @Override
    default void close() {}
}
