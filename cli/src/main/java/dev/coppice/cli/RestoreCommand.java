package dev.coppice.cli;

import dev.coppice.backup.BackupFile;
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

/** Brings a tree back from its backup, here or elsewhere. */
final class RestoreCommand implements Command {
    private static final int PART_BYTES = 4 * 1024 * 1024;

    @Override
    public String name() {
        return "restore";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Restore a tree from a backup: all of it or nothing",
                List.of("FILE"),
                List.of(
                        Option.flag("as-root", "as a tree of its own, whatever it was below"),
                        Option.of("under", "NAME", "below this session"),
                        Option.flag("new-ids", "with new ids, where others have the old ones"),
                        Option.flag("rename", "give other names to those whose names are taken"),
                        Option.of("removal", "ID", "an earlier one that the file holds as well")),
                """
                Every byte of the file is checked first. What is wrong with it, or in its
                way, is said, and then nothing is written.

                  coppice restore rem_0123456789ab.coppice
                  coppice restore plan.coppice --new-ids --rename --as-root
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var file = Path.of(args.word(0));
        if (!Files.isRegularFile(file)) throw new Args.Wrong("there is no file " + file);
        var connection = Connection.open(args, console);
        try {
            var report = BackupFile.verify(file);
            var ended = restored(connection, request(connection, file, args));
            if (args.has(Option.JSON)) {
                console.out().println(ended.body());
            } else {
                console.out().println(Undo.back(ended.value().removal(), args, connection));
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

    /** With new ids nobody has the id of the parent that the file says. */
    private static void showEarlier(
            BackupFile.Report report, Path file, Args args, Console console) {
        var where = args.has("new-ids") ? " --under NAME" : "";
        Backup.showEarlier(report, file, where, console);
    }

    private static BackupCalls.Restore request(Connection connection, Path file, Args args)
            throws IOException {
        var under = args.value("under");
        return new BackupCalls.Restore(
                handedIn(connection, file),
                BackupFile.sha256(file),
                Files.size(file),
                under == null ? null : connection.id(under),
                args.has("as-root"),
                args.has("new-ids"),
                args.has("rename"),
                args.value("removal"));
    }

    /** Restores, and waits until it is done. */
    static Answer<RemovalView.Whole> restored(Connection connection, BackupCalls.Restore request) {
        var begun = connection.callPatiently(BackupCalls.RESTORE, request);
        var wait = new RemovalCalls.Await(begun.removalId(), Remove.PATIENCE);
        return connection.ask(RemovalCalls.READ, wait);
    }

    /** Hands the file to the coordinator in pieces; the name it is known by there. */
    static String handedIn(Connection connection, Path file) throws IOException {
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
