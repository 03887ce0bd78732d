package dev.coppice.cli.removal;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.wire.session.SessionView;

import java.util.List;

/** Removes the trees that options select by state, age, name or parent. */
final class RemoveMany {
    private static final List<String> CHOOSING =
            List.of("finished", "older-than", "match", "below");
    private final Connection connection;
    private final Args args;
    private final Console console;

    RemoveMany(Connection connection, Args args, Console console) {
        this.connection = connection;
        this.args = args;
        this.console = console;
    }

    static boolean isAsked(Args args) {
        return CHOOSING.stream().anyMatch(args::has);
    }

    Exit run() {
        if (!isAsked(args)) {
            throw new Args.Invalid(
                    "NAME is missing; or pass --finished, --older-than, --match or --below");
        }
        for (var alone : List.of("discard", "detach", "only", "confirm")) {
            if (args.has(alone)) throw new Args.Invalid("--%s requires a NAME".formatted(alone));
        }
        if ("".equals(args.value("match"))) {
            throw new Args.Invalid("--match is empty; '*' matches every name");
        }
        return new RemoveTrees(connection, args, console).remove(tops());
    }

    private List<SessionView> tops() {
        var below = args.value("below");
        return new Candidates(
                        args.has("finished"),
                        args.length("older-than"),
                        args.value("match"),
                        below == null ? null : connection.id(below))
                .all(connection);
    }
}
