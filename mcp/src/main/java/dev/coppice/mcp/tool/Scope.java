package dev.coppice.mcp.tool;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.message.Envelopes.Fault;
import dev.coppice.mcp.message.Envelopes.ScopeNeeded;
import dev.coppice.web.Credentials;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Call.Trait;
import dev.coppice.wire.Method;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.removal.RemovalCalls;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The permissions of tokens in the words of OAuth. The role of a token decides which it has. */
public enum Scope {
    READ("sessions:read"),
    WRITE("sessions:write"),
    DELETE("sessions:delete"),
    /** To stop what runs, or to override what is critical, for a deletion. */
    FORCE("sessions:force"),
    RESTORE("sessions:restore");

    private static final int INSUFFICIENT = -32003;
    private static final Set<String> RESTORING =
            Set.of(RemovalCalls.UNDO.name(), BackupCalls.RESTORE.name());

    private final String word;

    Scope(String word) {
        this.word = word;
    }

    public static List<String> words() {
        return Stream.of(values()).map(scope -> scope.word).toList();
    }

    /** The scopes that the operation needs and the caller lacks; its role decides which it has. */
    static List<Scope> missing(Caller caller, dev.coppice.wire.Call<?, ?> call, boolean isForced) {
        var needed = new ArrayList<Scope>();
        needed.add(of(call));
        if (isForced) needed.add(FORCE);
        needed.removeAll(held(caller.role()));
        return needed;
    }

    private static Set<Scope> held(Role role) {
        return switch (role) {
            case ADMIN, OPERATOR, AGENT -> EnumSet.allOf(Scope.class);
            case RUNNER -> EnumSet.of(READ, WRITE);
            case VIEWER -> EnumSet.of(READ);
            case INGEST -> EnumSet.noneOf(Scope.class);
        };
    }

    private static Scope of(dev.coppice.wire.Call<?, ?> call) {
        if (call.method() == Method.GET) return READ;
        if (RESTORING.contains(call.name())) return RESTORE;
        return call.is(Trait.DESTRUCTIVE) ? DELETE : WRITE;
    }

    /** The answer to a caller whose token lacks scopes. */
    static BrokenCall challenge(Exchange x, List<Scope> missing, String said) {
        var words = missing.stream().map(scope -> scope.word).toList();
        var challenge =
                "Bearer error=\"insufficient_scope\", scope=\"%s\", resource_metadata=\"%s\""
                        .formatted(String.join(" ", words), Credentials.metadata(x::header));
        var why = "%s. The token needs the scope %s".formatted(said, String.join(" and ", words));
        return new BrokenCall(
                403,
                new Fault(INSUFFICIENT, why, new ScopeNeeded(words)),
                Map.of("WWW-Authenticate", challenge));
    }
}
