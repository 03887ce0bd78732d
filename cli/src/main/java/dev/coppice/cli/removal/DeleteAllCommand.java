package dev.coppice.cli.removal;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;

import java.util.List;

/** Removes every tree, each by its own removal, after showing the plans. */
public final class DeleteAllCommand implements Command {
    @Override
    public String name() {
        return "delete-all";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Remove every tree, after showing the plans",
                List.of(),
                List.of(
                        Option.flag("yes", "do not ask for confirmation").as("y"),
                        Option.flag("dry-run", "only show the plans"),
                        Option.flag("stop", "stop sessions that are running"),
                        Option.flag("override", "interrupt critical operations; requires --reason"),
                        Option.of("reason", "TEXT", "the reason, recorded in the audit")),
                """
                For operators only: an agent can remove only sessions below its own. Each tree
                is confirmed with the digest of its plan. Its unsaved work is preserved and its
                backup is written first, and its removal can be undone separately.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var agent = console.env("AGENT_SESSION_ID");
        if (agent != null) {
            console.err()
                    .println(
                            "coppice: delete-all is for operators; this is agent session '%s'\n"
                                            .formatted(Shown.clean(agent))
                                    + "Use 'coppice rm --below NAME' for sessions below it.");
            return Exit.REFUSED;
        }
        var connection = Connection.open(args, console);
        var roots =
                connection.sessions(null).stream()
                        .filter(session -> session.parentSessionId() == null)
                        .toList();
        return new RemoveTrees(connection, args, console).remove(roots);
    }
}
