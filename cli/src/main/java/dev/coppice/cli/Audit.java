package dev.coppice.cli;

import dev.coppice.client.Refused;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.removal.AuditCalls;

import java.util.ArrayList;
import java.util.List;

/** Shows who did what, and checks that nobody has meddled with that. */
final class Audit implements Command {
    @Override
    public String name() {
        return "audit";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Show who did what to which session, or check the chain of it",
                List.of("[NAME|verify]"),
                List.of(
                        Option.of("head", "HASH", "for verify: this record must be in the chain"),
                        Option.of("limit", "N", "how many at most; 100 by default"),
                        Option.of("after", "CURSOR", "the next page")),
                """
                NAME is a session's name, also of one that was removed, or its id. Each record
                holds the hash of the one before: 'verify' names what was changed, left out or
                moved, and with --head also sees an end that was cut off. Exit code 11 then.

                  coppice audit plan
                  coppice audit verify
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var word = args.wordOrNull(0);
        if ("verify".equals(word)) return verify(connection, args, console);
        var about = word == null ? null : id(connection, word);
        var found = connection.ask(AuditCalls.LIST, new AuditCalls.Find(about, args.page()));
        if (args.has(Option.JSON)) {
            console.out().println(found.body());
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var record : found.value().records()) {
            rows.add(
                    List.of(
                            Long.toString(record.number()),
                            record.at(),
                            Shown.harmless(record.who()),
                            record.act(),
                            Shown.harmless(record.sessionName()),
                            record.decision(),
                            Shown.harmless(record.reason()).replace('\n', ' ')));
        }
        console.out()
                .print(
                        Table.of(
                                List.of("NO", "AT", "WHO", "ACT", "SESSION", "DECISION", "REASON"),
                                rows));
        Table.more(found.value().next(), console);
        return Exit.OK;
    }

    /** A session that was removed is known by its removal. */
    private static String id(Connection connection, String said) {
        try {
            return connection.id(said);
        } catch (Refused e) {
            if (e.problem().status() != 410 && e.problem().status() != 404) throw e;
        }
        var gone = connection.gone(said);
        return gone == null ? said : gone.id();
    }

    private static Exit verify(Connection connection, Args args, Console console) {
        var answer = connection.ask(AuditCalls.VERIFY, new AuditCalls.Verify(args.value("head")));
        var checked = answer.value();
        if (args.has(Option.JSON)) {
            console.out().println(answer.body());
        } else {
            for (var flaw : checked.flaws()) {
                console.out().println("✗ " + Shown.harmless(flaw.what()));
            }
            console.out()
                    .println(
                            "%s, head %s"
                                    .formatted(
                                            Counted.of(checked.records(), "record", "records"),
                                            checked.head()));
        }
        return checked.ok() ? Exit.OK : Exit.SICK;
    }
}
