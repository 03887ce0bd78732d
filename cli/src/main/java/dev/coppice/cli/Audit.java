package dev.coppice.cli;

import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;

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
        var query = "/audit?limit=" + args.value("limit", "100");
        if (word != null) query += "&session_id=" + Connection.part(id(connection, word));
        var after = args.value("after");
        if (after != null) query += "&after=" + Connection.part(after);
        var found = connection.get(query);
        if (args.has(Option.JSON)) {
            console.out().println(found);
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var record : found.get("records")) {
            rows.add(
                    List.of(
                            Shown.text(record, "number"),
                            Shown.text(record, "at"),
                            Shown.text(record, "who"),
                            Shown.text(record, "act"),
                            Shown.text(record, "session_name"),
                            Shown.text(record, "decision"),
                            Shown.text(record, "reason").replace('\n', ' ')));
        }
        console.out()
                .print(
                        Table.of(
                                List.of("NO", "AT", "WHO", "ACT", "SESSION", "DECISION", "REASON"),
                                rows));
        var next = Json.text(found, "next");
        if (next != null) console.err().println("more with --after " + next);
        return Exit.OK;
    }

    /** One that was removed is known by its removal. */
    private static String id(Connection connection, String said) {
        try {
            return connection.id(said);
        } catch (Connection.Refused e) {
            if (e.status() != 410 && e.status() != 404) throw e;
        }
        var gone = connection.gone(said);
        return gone == null ? said : gone.id();
    }

    private static Exit verify(Connection connection, Args args, Console console) {
        var head = args.value("head");
        var checked =
                connection.get(
                        "/audit/verify" + (head == null ? "" : "?head=" + Connection.part(head)));
        if (args.has(Option.JSON)) {
            console.out().println(checked);
        } else {
            for (var flaw : checked.get("flaws")) {
                console.out().println("✗ " + Shown.text(flaw, "what"));
            }
            console.out()
                    .println(
                            "%s, head %s"
                                    .formatted(
                                            Counted.of(
                                                    checked.get("records").asLong(),
                                                    "record",
                                                    "records"),
                                            Shown.text(checked, "head")));
        }
        return checked.get("ok").asBoolean() ? Exit.OK : Exit.SICK;
    }
}
