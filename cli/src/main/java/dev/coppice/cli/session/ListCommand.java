package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Lists sessions. */
public final class ListCommand implements Command {
    @Override
    public String name() {
        return "list";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List sessions, newest first",
                List.of(),
                List.of(
                        Option.of("status", "STATES", "only these states, such as running,failed"),
                        Option.of("name", "PREFIX", "only names with this prefix"),
                        Option.of("limit", "N", "show at most N (default 100)"),
                        Option.of("after", "CURSOR", "show the page after this cursor")),
                "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var find =
                new SessionCalls.Find(
                        args.list("status"),
                        null,
                        null,
                        null,
                        args.value("name"),
                        null,
                        args.page());
        var page = Connection.open(args, console).ask(SessionCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(page.text());
            return Exit.OK;
        }
        console.out().print(table(page.value().sessions(), console));
        Table.more(page.value().next(), console);
        return Exit.OK;
    }

    static String table(List<SessionView> sessions, Console console) {
        Instant now = InstantSource.system().instant();
        var rows = new ArrayList<List<String>>();
        for (var session : sessions) {
            rows.add(
                    List.of(
                            Shown.clean(session.sessionName()),
                            Shown.state(session.state()),
                            Shown.age(session, now),
                            Shown.clean(session.agentName()),
                            Shown.clean(session.parentSessionName()),
                            Shown.clean(session.sessionId())));
        }
        return Table.of(
                List.of("NAME", "STATE", "AGE", "BLUEPRINT", "PARENT", "ID"), rows, console);
    }
}
