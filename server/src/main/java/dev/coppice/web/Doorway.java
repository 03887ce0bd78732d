package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.operation.Reply;
import dev.coppice.wire.Code;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/**
 * How one port is served: its routes, the addresses and origins it answers to, whether it speaks
 * like the hook server, which any page may read, and whose created tokens may stand in its address.
 */
public record Doorway(
        Dispatcher dispatcher,
        OriginCheck origins,
        boolean isHookServer,
        @Nullable Caller anyone,
        Set<Role> inAddress) {
    private static final Set<Role> IN_ANY_ADDRESS = Set.of(Role.VIEWER, Role.INGEST, Role.RUNNER);

    /** Only at a port that a setting names: whoever reads its address acts as a person. */
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

    /** A port of the hook server; {@code anyone} is the caller without a token, if it may be. */
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
     * The answer for what is not served here. The hook server answers 200 to any request, so its
     * programs took a change that was never made for done.
     */
    Reply unserved(String method, String shown, List<String> path) {
        if (!isHookServer) return dispatcher.unknown(method, shown, path);
        return Problems.reply(
                Code.PATH_UNKNOWN, "'%s %s' is not served at this port".formatted(method, shown));
    }
}
