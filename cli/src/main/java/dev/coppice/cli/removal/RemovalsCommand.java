package dev.coppice.cli.removal;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Patience;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Lists removals, or shows, cancels, abandons or purges one. */
public final class RemovalsCommand implements Command {
    @Override
    public String name() {
        return "removals";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List removals, or show, cancel, abandon or purge one",
                List.of("[ID]", "[cancel|purge|abandon]"),
                List.of(
                        Option.of("reason", "TEXT", "the reason to cancel or abandon"),
                        Option.of("limit", "N", "show at most N (default 100)"),
                        Option.of("after", "CURSOR", "show the page after this cursor")),
                """
                Until its sessions are hidden, a removal can be cancelled, or continued without
                what it waits for ('abandon', requires --reason), which the column REASON shows.
                A hidden removal can be undone until its undo window closes, or purged at once.

                  coppice removals
                  coppice removals rem_0123456789ab purge
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var id = args.wordOrNull(0);
        if (id == null) return list(connection, args, console);
        var word = args.wordOrNull(1);
        var decide = new RemovalCalls.Decide(id, args.value("reason"));
        if (word == null) {
            var found =
                    connection.ask(RemovalCalls.READ, new RemovalCalls.Await(id, Patience.NONE));
            return shown(found.body(), found.value().removal(), args, console);
        }
        var moved =
                switch (word) {
                    case "cancel" -> connection.ask(RemovalCalls.CANCEL, decide);
                    case "abandon" -> connection.ask(RemovalCalls.ABANDON, decide);
                    default ->
                            connection.ask(
                                    RemovalCalls.PURGE,
                                    new RemovalCalls.Await(id, Connection.PATIENCE));
                };
        return shown(moved.body(), moved.value(), args, console);
    }

    private static Exit shown(JsonNode body, RemovalView removal, Args args, Console console) {
        if (args.has(Option.JSON)) console.out().println(body);
        else console.out().print(Table.of(HEADINGS, List.of(row(removal)), console));
        return Exit.OK;
    }

    private static final List<String> HEADINGS =
            List.of("ID", "SESSION", "STATE", "%", "SESSIONS", "UNTIL", "REASON");

    private static Exit list(Connection connection, Args args, Console console) {
        var found = connection.ask(RemovalCalls.LIST, new RemovalCalls.Paged(args.page()));
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return Exit.OK;
        }
        var rows = found.value().removals().stream().map(RemovalsCommand::row).toList();
        console.out().print(Table.of(HEADINGS, rows, console));
        Table.more(found.value().next(), console);
        return Exit.OK;
    }

    private static List<String> row(RemovalView removal) {
        var why = removal.waitsFor();
        if (why == null) why = removal.calledOff();
        if (why == null) why = removal.reason();
        boolean hidden = removal.state().equals("hidden");
        return List.of(
                removal.removalId(),
                Shown.clean(removal.sessionName()),
                removal.state(),
                Integer.toString(removal.percent()),
                Long.toString(removal.taken().sessions()),
                hidden ? Shown.clean(removal.undoUntil()) : "",
                Shown.clean(why));
    }
}
