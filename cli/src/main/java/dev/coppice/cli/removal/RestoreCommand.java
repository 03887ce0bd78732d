package dev.coppice.cli.removal;

import dev.coppice.backup.BackupFile;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.Answer;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** Restores a tree from a backup file, on this coordinator or another. */
public final class RestoreCommand implements Command {
    private static final int PART_BYTES = 4 * 1024 * 1024;

    @Override
    public String name() {
        return "restore";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Restore a tree or everything from a backup, whole or not at all",
                List.of("FILE|all", "[FILE]"),
                List.of(
                        Option.flag("as-root", "restore it as a root"),
                        Option.of("under", "NAME", "restore it below this session"),
                        Option.flag("new-ids", "give every session a new id"),
                        Option.flag("rename", "rename sessions whose names are taken"),
                        Option.of("removal", "ID", "restore this earlier removal in the file")),
                """
                Verifies the whole file first. If it is damaged, or an id, a name or the parent
                prevents the restore, prints the reason and restores nothing.

                'all FILE' restores what 'coppice backup all' wrote, into a data directory that
                is missing or empty, without a coordinator.

                  coppice restore rem_0123456789ab.coppice
                  coppice restore plan.coppice --new-ids --rename --as-root
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        if (args.word(0).equals("all")) {
            if (args.wordOrNull(1) == null) throw new Args.Invalid("FILE is missing");
            return WholeBackups.restore(args, console);
        }
        if (args.wordOrNull(1) != null) {
            throw new Args.Invalid("unexpected argument '%s'".formatted(args.word(1)));
        }
        var file = args.file(0);
        var connection = Connection.open(args, console);
        try {
            var report = BackupFile.verify(file);
            var ended = restore(connection, request(connection, file, args));
            if (args.has(Option.JSON)) {
                console.out().println(ended.text());
            } else {
                console.out().println(UndoCommand.back(ended.value().removal(), args, connection));
                if (args.value("removal") == null) showEarlier(report, file, args, console);
            }
            return Exit.OK;
        } catch (BackupFile.Damaged e) {
            console.err().println(file + " " + e.said());
            return Exit.REFUSED;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    /**
     * Prints how to restore earlier removals. The file names their parents by old ids, which
     * --new-ids replaced, so the printed command then needs --under.
     */
    private static void showEarlier(
            BackupFile.Report report, Path file, Args args, Console console) {
        var where = args.has("new-ids") ? " --under NAME" : "";
        BackupCommand.showEarlier(report, file, where, console);
    }

    private static BackupCalls.Restore request(Connection connection, Path file, Args args)
            throws IOException {
        var under = args.value("under");
        return new BackupCalls.Restore(
                upload(connection, file),
                BackupFile.sha256(file),
                Files.size(file),
                under == null ? null : connection.id(under),
                args.has("as-root"),
                args.has("new-ids"),
                args.has("rename"),
                args.value("removal"));
    }

    /** Restores a backup and waits for its end, at most {@link Connection#PATIENCE}. */
    public static Answer<RemovalView.Whole> restore(
            Connection connection, BackupCalls.Restore request) {
        var begun = connection.callPatiently(BackupCalls.RESTORE, request);
        var wait = new RemovalCalls.Await(begun.removalId(), Connection.PATIENCE);
        return connection.ask(RemovalCalls.READ, wait);
    }

    /** Uploads the file in parts; returns its name on the coordinator. */
    public static String upload(Connection connection, Path file) throws IOException {
        var name = BackupFile.sha256(file).substring(0, 32) + ".coppice";
        try (var in = Files.newInputStream(file)) {
            long at = 0;
            var bytes = in.readNBytes(PART_BYTES);
            while (bytes.length > 0) {
                var data = Base64.getEncoder().encodeToString(bytes);
                connection.call(BackupCalls.UPLOAD, new BackupCalls.Part(name, at, data));
                at += bytes.length;
                bytes = in.readNBytes(PART_BYTES);
            }
        }
        return name;
    }
}
