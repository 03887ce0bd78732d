package dev.coppice.cli;

import dev.coppice.backup.BackupFile;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ErrandAnswer;

import tools.jackson.databind.node.ObjectNode;

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
            var begun = connection.postPatiently("/restores", request(connection, file, args));
            var path = "/removals/" + Connection.part(Shown.text(begun, "removal_id"));
            var ended = connection.get(path + "?wait=1h");
            if (args.has(Option.JSON)) console.out().println(ended);
            else {
                console.out().println(Undo.back(ended, args, connection));
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

    private static ObjectNode request(Connection connection, Path file, Args args)
            throws IOException {
        var under = args.value("under");
        return Json.object()
                .put("file", handedIn(connection, file))
                .put("sha256", BackupFile.sha256(file))
                .put("size", Files.size(file))
                .put("as_root", args.has("as-root"))
                .put("new_ids", args.has("new-ids"))
                .put("rename", args.has("rename"))
                .put("removal", args.value("removal"))
                .put("under", under == null ? null : connection.id(under));
    }

    /** Hands the file to the coordinator in pieces; the name it is known by there. */
    static String handedIn(Connection connection, Path file) throws IOException {
        var name = BackupFile.sha256(file).substring(0, 32) + ".coppice";
        try (var in = Files.newInputStream(file)) {
            long at = 0;
            var bytes = in.readNBytes(PART_BYTES);
            while (bytes.length > 0) {
                var data = Base64.getEncoder().encodeToString(bytes);
                connection.post(
                        "/backups/" + name + "/part", new ErrandAnswer.Part(name, at, data));
                at += bytes.length;
                bytes = in.readNBytes(PART_BYTES);
            }
        }
        return name;
    }
}
