package dev.coppice.backup;

import dev.coppice.removal.Removal;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;

/**
 * The backups of removals that a larger one takes along lie in its file as they are, so that one
 * file brings back all that there was.
 */
final class EarlierBackups {
    private static final int NESTED_MAX = 100;
    private static final long SLACK_BYTES = 1024 * 1024;
    private final Path directory;

    EarlierBackups(Path directory) {
        this.directory = directory;
    }

    /** What is said of them in the manifest. */
    ArrayNode write(BackupWriter writer, List<Removal> earlier) throws IOException {
        var said = Json.object().putArray(BackupFile.EARLIER);
        var inside = new HashSet<String>();
        // The last one first: its file holds those that it took along itself.
        for (var removal : earlier.reversed()) {
            if (inside.contains(removal.id().value())) continue;
            var file = intact(removal);
            var one =
                    new BackupFile.Earlier(
                            removal.id().value(),
                            removal.top().name(),
                            removal.taken().sessions(),
                            file != null,
                            null);
            say(said, one, null);
            if (file == null) continue;
            for (var within : copy(writer, one, file)) {
                inside.add(within.removal());
                say(said, within, one.removal());
            }
        }
        return said;
    }

    private static void say(ArrayNode said, BackupFile.Earlier one, @Nullable String within) {
        said.addObject()
                .put("removal_id", one.removal())
                .put("session_name", one.name())
                .put("sessions", one.sessions())
                .put("kept", one.kept())
                .put("within", one.within() == null ? within : one.within());
    }

    private static List<BackupFile.Earlier> copy(
            BackupWriter writer, BackupFile.Earlier one, Path file) throws IOException {
        try (var backup = BackupFile.open(file)) {
            writer.copy(one.entry(), file);
            return backup.earlier();
        } catch (BackupFile.Damaged e) {
            throw new IOException("the backup of " + one.removal() + ": " + e.getMessage(), e);
        }
    }

    /** None was wanted, or its owner has put it elsewhere: nobody has to wait for that. */
    private @Nullable Path intact(Removal removal) throws IOException {
        var backup = removal.backup();
        if (backup == null) return null;
        var file = directory.resolve(backup.file());
        boolean same = Files.isRegularFile(file) && Storeroom.sha256(file).equals(backup.sha256());
        return same ? file : null;
    }

    /** A copy of the backup of an earlier removal, which is the caller's to delete. */
    @Nullable Path takenOut(Path file, String removal) throws BackupFile.Damaged, IOException {
        var made = new ArrayList<Path>();
        try {
            for (var step : way(file, removal)) {
                var from = made.isEmpty() ? file : made.getLast();
                made.add(Files.createTempFile(directory, "earlier-", ".part"));
                takeOut(from, step, made.getLast());
                BackupFile.verify(made.getLast());
            }
            return made.isEmpty() ? null : made.removeLast();
        } finally {
            for (var path : made) Files.deleteIfExists(path);
        }
    }

    private static void takeOut(Path file, BackupFile.Earlier one, Path to)
            throws BackupFile.Damaged, IOException {
        try (var backup = BackupFile.open(file);
                var in = backup.read(one.entry());
                var out = Files.newOutputStream(to)) {
            // What is compressed already does not become much larger.
            Storeroom.copy(in, out, 2 * Files.size(file) + SLACK_BYTES);
        }
    }

    /** From the outermost to the one that is wanted; nothing when that is not there. */
    private static Deque<BackupFile.Earlier> way(Path file, String removal)
            throws BackupFile.Damaged {
        var way = new ArrayDeque<BackupFile.Earlier>();
        try (var backup = BackupFile.open(file)) {
            var all = backup.earlier();
            String wanted = removal;
            while (wanted != null) {
                var id = wanted;
                var found =
                        all.stream()
                                .filter(e -> e.kept() && e.removal().equals(id))
                                .findFirst()
                                .orElse(null);
                if (found == null || way.size() == NESTED_MAX) return new ArrayDeque<>();
                way.push(found);
                wanted = found.within();
            }
        }
        return way;
    }
}
