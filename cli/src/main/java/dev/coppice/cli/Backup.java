package dev.coppice.cli;

import dev.coppice.backup.BackupFile;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.session.SessionCalls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes a tree into one file, fetches the backup of a removal, or checks a file. */
final class Backup implements Command {
    @Override
    public String name() {
        return "backup";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Write a tree into one portable file, or check such a file",
                List.of("NAME|verify", "[FILE]"),
                List.of(Option.of("to", "FILE", "where to; NAME.coppice by default")),
                """
                NAME is a session, or a removal's id: then its backup is fetched. A backup
                holds sessions, runs, events, results, callbacks, budgets, stops and audit,
                and the unsaved work. 'verify' reads every byte of a file and holds it
                against its hashes; it needs no coordinator.

                  coppice backup plan --to plan.coppice
                  coppice backup verify plan.coppice
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var name = args.word(0);
        var file = args.wordOrNull(1);
        if (name.equals("verify")) {
            if (file == null) throw new Args.Wrong("FILE is missing");
            return verify(Path.of(file), args, console);
        }
        if (file != null) throw new Args.Wrong("say --to " + file);
        var connection = Connection.open(args, console);
        var to = Path.of(args.value("to", name + ".coppice"));
        if (Files.exists(to))
            throw new Args.Wrong(to + " is there already; choose another with --to");
        if (name.startsWith("rem_")) {
            connection.download(BackupCalls.OF_REMOVAL, new RemovalCalls.At(name), to);
        } else {
            var session = new SessionCalls.At(connection.id(name));
            var made = connection.callPatiently(BackupCalls.WRITE, session);
            connection.download(BackupCalls.FETCH, new BackupCalls.FileAt(made.file()), to);
        }
        return verify(to, args, console);
    }

    /** Trees that had been removed before, and how they come back. */
    static void showEarlier(BackupFile.Report report, Path file, String where, Console console) {
        for (var one : report.earlier()) {
            var name = Shown.harmless(one.name());
            var id = Shown.harmless(one.removal());
            var how =
                    one.kept()
                            ? "with %s: coppice restore %s --removal %s%s"
                                    .formatted(Counted.sessions(one.sessions()), file, id, where)
                            : "without a backup";
            console.out().println("  %s was removed before, %s".formatted(name, how));
        }
    }

    private static Exit verify(Path file, Args args, Console console) {
        try {
            var report = BackupFile.verify(file);
            if (args.has(Option.JSON)) {
                console.out().println(Json.tree(report));
            } else {
                console.out()
                        .println(
                                "%s is whole: %s with %s and %s, made at %s"
                                        .formatted(
                                                file,
                                                Shown.harmless(report.top().name()),
                                                Counted.sessions(report.sessions()),
                                                Counted.of(report.events(), "event", "events"),
                                                report.madeAt()));
                showEarlier(report, file, "", console);
            }
            return Exit.OK;
        } catch (BackupFile.Damaged e) {
            console.err().println(file + " " + e.said());
            return Exit.REFUSED;
        }
    }
}
