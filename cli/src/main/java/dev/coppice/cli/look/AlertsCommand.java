package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.session.AlertCalls;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Lists sessions that failed, timed out or were lost. */
public final class AlertsCommand implements Command {
    @Override
    public String name() {
        return "alerts";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List alerts: sessions that failed, timed out or were lost",
                List.of("[NAME]"),
                List.of(
                        Option.of("limit", "N", "show at most N (default 100)"),
                        Option.of("after", "CURSOR", "show the page after this cursor")),
                """
                With NAME, only those of that session and of all below it. COPPICE_ALERT_URL
                sends each alert to a webhook; DELIVERY says whether it was taken
                ('coppice events --follow --type alert' shows them as they are raised).
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        var find = new AlertCalls.Find(name == null ? null : connection.id(name), args.page());
        var page = connection.ask(AlertCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(page.body());
            return Exit.OK;
        }
        var events = new EventText(connection, InstantSource.system().instant());
        var rows = new ArrayList<List<String>>();
        for (var alert : page.value().alerts()) {
            rows.add(
                    List.of(
                            events.clock(Instant.parse(alert.raisedAt())),
                            Shown.clean(alert.sessionName()),
                            Shown.state(alert.kind()),
                            delivery(alert),
                            Shown.line(alert.reason())));
        }
        var headings = List.of("TIME", "SESSION", "ALERT", "DELIVERY", "REASON");
        console.out().print(Table.of(headings, rows, console));
        Table.more(page.value().next(), console);
        return Exit.OK;
    }

    private static String delivery(AlertCalls.AlertView alert) {
        var error = alert.error();
        var text = alert.delivery().equals("unsent") ? "" : alert.delivery();
        return error == null ? text : "%s: %s".formatted(text, Shown.line(error));
    }
}
