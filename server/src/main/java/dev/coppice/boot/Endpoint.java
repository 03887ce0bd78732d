package dev.coppice.boot;

import dev.coppice.web.Route;

import java.util.List;

/** Routes of another protocol that offer the operations of the server. */
public interface Endpoint extends AutoCloseable {
    /** The routes. Ports for hooks do not serve them. */
    List<Route> routes();

    /** The protocol, in one word. */
    String name();

    /** Ends sessions of the protocol that were unused for too long; returns how many. */
    int sweepSessions();

    /** Ends streams and sessions. Work that their calls have started continues. */
    @Override
    void close();
}
