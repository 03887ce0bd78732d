package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.request.Reply;
import dev.coppice.wire.Code;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/**
 * The rules of one port: its routes, hosts and origins, its likeness to the hook server, the caller
 * without a token, and the roles whose created tokens may stand in its address.
 */
public record Doorway(
        Dispatcher dispatcher,
        OriginCheck origins,
        boolean isHookServer,
        @Nullable Caller anyone,
        Set<Role> inAddress) {
    private static final Set<Role> IN_ANY_ADDRESS = Set.of(Role.VIEWER, Role.INGEST, Role.RUNNER);

    /** The roles at ports that a setting names: readers of their addresses act as people. */
    private static final Set<Role> IN_NAMED_ADDRESS =
            Set.of(Role.VIEWER, Role.INGEST, Role.RUNNER, Role.OPERATOR);

    /** The paths that programs ask to see whether the hook server is there. */
    private static final Set<String> GREETED = Set.of("/", "/health", "/api/health");

    /** The port of the coordinator itself. */
    public static Doorway own(Dispatcher dispatcher, OriginCheck origins) {
        return new Doorway(dispatcher, origins, false, null, IN_ANY_ADDRESS);
    }

    /** A port like that of the coordinator, for programs whose only setting is an address. */
    public static Doorway ofPathTokens(Dispatcher dispatcher, OriginCheck origins) {
        return new Doorway(dispatcher, origins, false, null, IN_NAMED_ADDRESS);
    }

    /** A port of the hook server; {@code anyone} is the caller without a token, or null. */
    public static Doorway ofHookServer(Dispatcher dispatcher, int port, @Nullable Caller anyone) {
        var origins = OriginCheck.ofThisMachine(port);
        return new Doorway(dispatcher, origins, true, anyone, IN_NAMED_ADDRESS);
    }

    Cors cors() {
        return new Cors(origins, isHookServer);
    }

    /**
     * True if the token of this caller may stand there. Addresses are kept in logs, so only a token
     * that can be revoked may stand in one.
     */
    boolean takes(Caller caller, Credentials.Place place) {
        return switch (place) {
            case HIDDEN -> true;
            case ADDRESS -> caller.token() != null && inAddress.contains(caller.role());
        };
    }

    boolean greets(String method, String path) {
        return isHookServer && method.equals("GET") && GREETED.contains(path);
    }

    static Reply greeting() {
        return new Reply.Text(200, "text/plain", "Coppice takes events here: POST /events");
    }

    /**
     * The answer for an unknown path. The older hook server answers 200, from which its programs
     * conclude that a change was made.
     */
    Reply unserved(String method, String shown, List<String> path) {
        if (!isHookServer) return dispatcher.unknown(method, shown, path);
        var masked = Credentials.masked(shown);
        return Problems.reply(
                Code.PATH_UNKNOWN, "'%s %s' is not served at this port".formatted(method, masked));
    }
}
