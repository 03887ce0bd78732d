package dev.coppice.cli;

import java.util.List;

/** Takes everything away: every tree by a removal of its own, after showing what that means. */
final class DeleteAll implements Command {
    @Override
    public String name() {
        return "delete-all";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Take every tree away, after showing the plan",
                List.of(),
                List.of(
                        Option.flag("yes", "do not ask").as("y"),
                        Option.flag("dry-run", "only show what would happen"),
                        Option.flag("stop", "stop what still runs"),
                        Option.flag("override", "break off critical operations; needs --reason"),
                        Option.of("reason", "TEXT", "why, for those who look later")),
                """
                For operators: an agent can remove nothing but what is below itself. Each
                tree is confirmed with the digest of its plan, can be undone by itself, and
                has its work kept and its backup written first.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var agent = console.env("AGENT_SESSION_ID");
        if (agent != null) {
            console.err()
                    .println(
                            "coppice: delete-all is for operators, and this is the agent %s\n"
                                            .formatted(Shown.harmless(agent))
                                    + "Remove what is below it with 'coppice rm --below'.");
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
