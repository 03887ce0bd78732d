package dev.coppice.cli.removal;

import dev.coppice.backup.BackupFile;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.session.SessionCalls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Backs up a tree to one file, downloads the backup of a removal, or verifies a file. */
public final class BackupCommand implements Command {
    @Override
    public String name() {
        return "backup";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Back up a tree or everything to a file, or verify one",
                List.of("NAME|all|verify", "[FILE]"),
                List.of(
                        Option.of("to", "FILE", "the file to write (default NAME.coppice)"),
                        Option.flag("outputs", "all: also what agents have printed")),
                """
                NAME is a session, or the id of a removal, whose backup is downloaded. A backup
                holds sessions, runs, events, results, callbacks, budgets, stops, audit records
                and unsaved work. 'verify' reads the whole file and checks its hashes; it needs
                no coordinator.

                'all FILE' backs up the data directory: the database as it is at one moment,
                registries, settings, tokens, certificates, backups and preserved work. It may
                run beside a coordinator, reads the file back, and needs the rights to the data
                directory. A database of PostgreSQL is left to pg_dump. 'coppice restore all
                FILE' restores it. The file holds secrets.

                  coppice backup plan --to plan.coppice
                  coppice backup all everything.zip
                  coppice backup verify plan.coppice
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var name = args.word(0);
        var file = args.wordOrNull(1);
        if (name.equals("verify")) {
            if (file == null) throw new Args.Invalid("FILE is missing");
            return verify(args.file(1), args, console);
        }
        if (name.equals("all")) {
            if (file == null) throw new Args.Invalid("FILE is missing");
            return WholeBackups.backup(args, console);
        }
        if (file != null) throw new Args.Invalid("pass the file to write with --to " + file);
        var connection = Connection.open(args, console);
        var to = Path.of(args.value("to", name + ".coppice"));
        if (Files.exists(to))
            throw new Args.Invalid("'" + to + "' exists; choose another file with --to");
        if (name.startsWith("rem_")) {
            connection.download(BackupCalls.OF_REMOVAL, new RemovalCalls.At(name), to);
        } else {
            var session = new SessionCalls.At(connection.id(name));
            var made = connection.callPatiently(BackupCalls.WRITE, session);
            connection.download(BackupCalls.FETCH, new BackupCalls.FileAt(made.file()), to);
        }
        return verify(to, args, console);
    }

    /** Prints the earlier removals in a backup, each with the command that restores it. */
    static void showEarlier(BackupFile.Report report, Path file, String where, Console console) {
        for (var one : report.earlier()) {
            var name = Shown.clean(one.sessionName());
            var id = Shown.clean(one.removalId());
            var how =
                    one.preserved()
                            ? "with %s; restore it with: coppice restore %s --removal %s%s"
                                    .formatted(Counted.sessions(one.sessions()), file, id, where)
                            : "without a backup";
            console.out().println("  %s was removed earlier, %s".formatted(name, how));
        }
    }

    private static Exit verify(Path file, Args args, Console console) {
        if (WholeBackup.is(file)) return WholeBackups.verify(file, args, console);
        try {
            var report = BackupFile.verify(file);
            if (args.has(Option.JSON)) {
                console.out().println(Json.tree(report));
            } else {
                console.out()
                        .println(
                                "%s is intact: %s with %s and %s, made at %s"
                                        .formatted(
                                                file,
                                                Shown.clean(report.top().sessionName()),
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
