package dev.coppice.cli.connect;

import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.Runner;
import dev.coppice.wire.Call;
import dev.coppice.wire.token.TokenCalls;
import dev.coppice.wire.token.TokenCalls.TokenRole;

import java.nio.file.Path;

/**
 * The token of a program's hooks, which can only send events. Its label names the source, so that
 * the next token of the same hooks reaches the same sessions.
 */
record HookToken(Connection connection, String label) {
    private static final int LABEL_MAX = 200;

    HookToken {
        label = label.length() <= LABEL_MAX ? label : label.substring(label.length() - LABEL_MAX);
    }

    /** The token of the hooks of a program in a file of this machine. */
    static HookToken of(Connection connection, String program, Path file) {
        var label = "hooks of %s in %s:%s".formatted(program, Runner.hostname(), file);
        return new HookToken(connection, label);
    }

    String create() {
        var create = new TokenCalls.Create(TokenRole.INGEST, null, null, label, label);
        return connection.call(TokenCalls.CREATE, create).token();
    }

    /** Revokes the token. Only prints a warning if no coordinator answers. */
    void revoke(Console console) {
        try {
            for (var token : connection.call(TokenCalls.LIST, new Call.Nothing()).tokens()) {
                if (!label.equals(token.label())) continue;
                connection.call(TokenCalls.REVOKE, new TokenCalls.At(token.tokenId()));
            }
        } catch (CoppiceClient.Unreachable _) {
            console.out()
                    .println(
                            "The coordinator does not answer. Its token '%s' stays valid until"
                                            .formatted(label)
                                    + " you revoke it with 'coppice token revoke'.");
        }
    }
}
