package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.operation.Reply;

import org.jspecify.annotations.Nullable;

/**
 * How one port is served: its routes, the addresses and origins it answers to, and whether it
 * speaks like the hook server, which answers any path and lets any page read it.
 */
public record Doorway(
        Dispatcher dispatcher, OriginCheck origins, boolean isHookServer, @Nullable Caller anyone) {
    /** The port of the coordinator itself. */
    public static Doorway own(Dispatcher dispatcher, OriginCheck origins) {
        return new Doorway(dispatcher, origins, false, null);
    }

    /** A port of the hook server; {@code anyone} is the caller without a token, if it may be. */
    public static Doorway ofHookServer(Dispatcher dispatcher, int port, @Nullable Caller anyone) {
        return new Doorway(dispatcher, OriginCheck.ofThisMachine(port), true, anyone);
    }

    Cors cors() {
        return new Cors(origins, isHookServer);
    }

    /** The hook server answers every path that it does not know in this way. */
    static Reply anything() {
        return new Reply.Text(200, "text/plain", "Coppice takes events here: POST /events");
    }
}
