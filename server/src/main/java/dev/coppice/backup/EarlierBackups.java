package dev.coppice.backup;

import dev.coppice.removal.Removal;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;

/**
 * The backups of removals below the tree of a later removal. Its file contains them unchanged, so
 * that the one file can restore everything.
 */
final class EarlierBackups {
    private static final int NESTED_MAX = 100;
    private static final long SLACK_BYTES = 1024 * 1024;
    private final Path directory;

    EarlierBackups(Path directory) {
        this.directory = directory;
    }

    /** Writes the backups; returns their part of the manifest. */
    List<Manifest.Earlier> write(BackupWriter writer, List<Removal> earlier) throws IOException {
        var listed = new ArrayList<Manifest.Earlier>();
        var inside = new HashSet<String>();
        // The latest first: its file may contain earlier ones.
        for (var removal : earlier.reversed()) {
            if (inside.contains(removal.id().value())) continue;
            var file = intact(removal);
            var one =
                    new Manifest.Earlier(
                            removal.id().value(),
                            removal.top().name(),
                            removal.taken().sessions(),
                            file != null,
                            null);
            listed.add(one);
            if (file == null) continue;
            for (var within : copy(writer, one, file)) {
                inside.add(within.removalId());
                listed.add(within.within() == null ? within.inside(one.removalId()) : within);
            }
        }
        return listed;
    }

    private static List<Manifest.Earlier> copy(BackupWriter writer, Manifest.Earlier one, Path file)
            throws IOException {
        try (var backup = BackupFile.open(file)) {
            writer.copy(one.entry(), file);
            return backup.earlier();
        } catch (BackupFile.Damaged e) {
            throw new IOException("the backup of " + one.removalId() + ": " + e.getMessage(), e);
        }
    }

    /** Returns the backup's file; null if it is missing or changed, which is no error. */
    private @Nullable Path intact(Removal removal) throws IOException {
        var backup = removal.backup();
        if (backup == null) return null;
        var file = directory.resolve(backup.file());
        boolean same =
                Files.isRegularFile(file) && UploadStore.sha256(file).equals(backup.sha256());
        return same ? file : null;
    }

    /** Copies the backup of an earlier removal out of the file; the caller deletes the copy. */
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

    private static void takeOut(Path file, Manifest.Earlier one, Path to)
            throws BackupFile.Damaged, IOException {
        try (var backup = BackupFile.open(file);
                var in = backup.read(one.entry());
                var out = Files.newOutputStream(to)) {
            // A backup is compressed, so it does not unpack to much more.
            UploadStore.copy(in, out, 2 * Files.size(file) + SLACK_BYTES);
        }
    }

    /** Returns the backups from the outermost to the wanted one; empty if it is not there. */
    private static Deque<Manifest.Earlier> way(Path file, String removal)
            throws BackupFile.Damaged {
        var way = new ArrayDeque<Manifest.Earlier>();
        try (var backup = BackupFile.open(file)) {
            var all = backup.earlier();
            String wanted = removal;
            while (wanted != null) {
                var id = wanted;
                var found =
                        all.stream()
                                .filter(e -> e.preserved() && e.removalId().equals(id))
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
