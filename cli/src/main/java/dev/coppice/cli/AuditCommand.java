package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.Refused;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.removal.AuditCalls;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Shows the audit records, and verifies their hash chain. */
final class AuditCommand implements Command {
    @Override
    public String name() {
        return "audit";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Show the audit records, or verify their hash chain",
                List.of("[NAME|verify]"),
                List.of(
                        Option.of("head", "HASH", "with verify: the chain must hold this hash"),
                        Option.of("limit", "N", "show at most N (default 100)"),
                        Option.of("after", "CURSOR", "show the page after this cursor")),
                """
                NAME is the name or id of a session, also of a removed one. Each record holds the
                hash of the one before. 'verify' reports records that were changed, deleted or
                moved; with --head also that the newest were cut off. It then exits with 11.

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
            console.out().println(found.text());
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var record : found.value().records()) {
            rows.add(
                    List.of(
                            Long.toString(record.number()),
                            record.at(),
                            Shown.clean(record.who()),
                            record.act(),
                            Shown.clean(about(record)),
                            record.decision(),
                            Shown.clean(record.reason()).replace('\n', ' ')));
        }
        console.out()
                .print(
                        Table.of(
                                List.of("NO", "AT", "WHO", "ACT", "ABOUT", "DECISION", "REASON"),
                                rows,
                                console));
        Table.more(found.value().next(), console);
        return Exit.OK;
    }

    /** Returns the session's name; the detail of a record without a session. */
    private static @Nullable String about(AuditCalls.RecordView record) {
        return record.sessionName() == null ? record.detail() : record.sessionName();
    }

    /** The id of a session; that of a removed session comes from its removal. */
    private static String id(Connection connection, String nameOrId) {
        try {
            return connection.id(nameOrId);
        } catch (Refused e) {
            if (e.problem().status() != 410 && e.problem().status() != 404) throw e;
        }
        var gone = connection.gone(nameOrId);
        return gone == null ? nameOrId : gone.id();
    }

    private static Exit verify(Connection connection, Args args, Console console) {
        var answer = connection.ask(AuditCalls.VERIFY, new AuditCalls.Verify(args.value("head")));
        var checked = answer.value();
        if (args.has(Option.JSON)) {
            console.out().println(answer.text());
        } else {
            for (var flaw : checked.flaws()) {
                console.out().println("✗ " + Shown.clean(flaw.what()));
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
