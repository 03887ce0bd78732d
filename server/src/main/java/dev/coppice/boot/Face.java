package dev.coppice.boot;

import dev.coppice.hooks.PageStream;
import dev.coppice.operation.Operation;
import dev.coppice.web.Route;

import java.util.List;
import java.util.Optional;

/** Operations and routes that another module adds to the server. */
public interface Face {
    /** Builds a face from the parts of the server. */
    interface Maker {
        Face on(Ground ground);
    }

    /** An operation with the name of one of the server's takes its place. */
    default List<Operation<?, ?>> operations() {
        return List.of();
    }

    /** The routes that are no operations. Ports for hooks serve them, too. */
    default List<Route> routes() {
        return List.of();
    }

    /** An endpoint of another protocol for all operations of the server. */
    default Optional<Endpoint> endpoint(Offer offer) {
        return Optional.empty();
    }

    /** How pages follow the events at a port for hooks, if it is not the hook server's way. */
    default Optional<PageStream> pagesAt(int port) {
        return Optional.empty();
    }
}
