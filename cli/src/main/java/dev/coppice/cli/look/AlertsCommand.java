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
import dev.coppice.wire.Call;
import dev.coppice.wire.look.AlertCalls;
import dev.coppice.word.AlertKind;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Lists alerts, and shows and tests the rules by which they are sent. */
public final class AlertsCommand implements Command {
    @Override
    public String name() {
        return "alerts";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List alerts, and test their rules and channels",
                List.of("[test|rules|NAME]"),
                List.of(
                        Option.of("kind", "KIND", "test: failed, asks, over_budget and so on")
                                .among(AlertKind.class),
                        Option.of("about", "NAME", "test: as if it were about this session"),
                        Option.of("channel", "NAME", "test: only this channel"),
                        Option.of("limit", "N", "show at most N (default 100)"),
                        Option.of("after", "CURSOR", "show the page after this cursor")),
                """
                An alert is raised once when a session fails, times out, is lost, waits for you,
                says nothing, spends a budget, or meets the limit of an account. With NAME, only
                those of that session and of all below it. 'rules' shows who hears of them, by
                the file alerts.json of the data directory; 'test' sends a test to these.

                  coppice alerts test --channel desktop
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        if ("test".equals(name)) return test(connection, args, console);
        if ("rules".equals(name)) return rules(connection, args, console);
        var find = new AlertCalls.Find(name == null ? null : connection.id(name), args.page());
        var page = connection.ask(AlertCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(page.text());
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

    private static Exit test(Connection connection, Args args, Console console) {
        var about = args.value("about");
        var test =
                new AlertCalls.Test(
                        args.choice("kind", AlertKind.ASKS),
                        about == null ? null : connection.id(about),
                        args.value("channel"));
        var tested = connection.ask(AlertCalls.TEST, test);
        boolean isGood = tested.value().channels().stream().allMatch(AlertCalls.TestView::ok);
        if (args.has(Option.JSON)) {
            console.out().println(tested.text());
        } else if (tested.value().channels().isEmpty()) {
            console.out().println("No rule names a channel for such an alert.");
        } else {
            for (var one : tested.value().channels()) {
                var said = one.ok() ? "took the test" : "did not: " + Shown.line(one.error());
                var waits =
                        one.waitsUntil() == null
                                ? ""
                                : " (an alert now would wait until %s)".formatted(one.waitsUntil());
                console.out().println(Shown.clean(one.channel()) + " " + said + waits);
            }
        }
        return isGood ? Exit.OK : Exit.FAILED;
    }

    private static Exit rules(Connection connection, Args args, Console console) {
        var found = connection.ask(AlertCalls.RULES, new Call.Nothing());
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return Exit.OK;
        }
        var rules = found.value();
        var rows = new ArrayList<List<String>>();
        for (var rule : rules.rules()) {
            rows.add(
                    List.of(
                            String.join(", ", rule.on()),
                            rule.below() == null ? "all" : Shown.clean(rule.below()),
                            rule.to().isEmpty() ? "nobody" : String.join(", ", rule.to()),
                            rule.quiet()));
        }
        var headings = List.of("ON", "BELOW", "TO", "QUIET HOURS");
        console.out().print(Table.of(headings, rows, console));
        if (rules.quietHours() != null) console.out().println("Quiet: " + rules.quietHours());
        console.out().println("Channels: " + String.join(", ", rules.channels()));
        console.out().println("Rules: " + Shown.clean(rules.file()));
        if (rules.fault() == null) return Exit.OK;
        console.err().println("The file is not used: " + Shown.line(rules.fault()));
        return Exit.FAILED;
    }

    private static String delivery(AlertCalls.AlertView alert) {
        var error = alert.error();
        var text = alert.delivery().equals("unsent") ? "" : alert.delivery();
        return error == null ? text : "%s: %s".formatted(text, Shown.line(error));
    }
}
