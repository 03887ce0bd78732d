package dev.coppice.mcp.tool;

import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.message.Fault;
import dev.coppice.mcp.message.ScopeNeeded;
import dev.coppice.web.Credentials;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Call.Trait;
import dev.coppice.wire.Method;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.removal.RemovalCalls;

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

    static Scope of(dev.coppice.wire.Call<?, ?> call) {
        if (call.method() == Method.GET) return READ;
        if (RESTORING.contains(call.name())) return RESTORE;
        return call.is(Trait.DESTRUCTIVE) ? DELETE : WRITE;
    }

    /** The answer to a caller whose token lacks this scope. */
    Call.Broken missing(Exchange x, String said) {
        var challenge =
                "Bearer error=\"insufficient_scope\", scope=\"%s\", resource_metadata=\"%s\""
                        .formatted(word, Credentials.metadata(x.header("Host")));
        var why = "%s. The token needs the scope %s".formatted(said, word);
        return new Call.Broken(
                403,
                new Fault(INSUFFICIENT, why, new ScopeNeeded(List.of(word))),
                Map.of("WWW-Authenticate", challenge));
    }
}
