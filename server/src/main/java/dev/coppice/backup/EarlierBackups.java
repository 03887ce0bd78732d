package dev.coppice.backup;

import dev.coppice.removal.Removal;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;

/**
 * The backups of removals that a larger one takes along lie in its file as they are, so that one
 * file brings back all that there was.
 */
final class EarlierBackups {
    private static final int NESTED_MAX = 100;
    private final Path directory;

    EarlierBackups(Path directory) {
        this.directory = directory;
    }

    /** Writes the backup of one whose own is not there any more. */
    interface Again {
        Path write(Removal removal) throws IOException;
    }

    /** What is said of them in the manifest. */
    ArrayNode write(BackupWriter writer, List<Removal> earlier, Again again) throws IOException {
        var said = Json.object().putArray(BackupFile.EARLIER);
        var inside = new HashSet<String>();
        // The last one first: its file holds those that it took along itself.
        for (var removal : earlier.reversed()) {
            if (inside.contains(removal.id().value())) continue;
            boolean kept = removal.backup() != null;
            var one =
                    new BackupFile.Earlier(
                            removal.id().value(),
                            removal.top().name(),
                            removal.taken().sessions(),
                            kept,
                            null);
            say(said, one, null);
            if (!kept) continue;
            for (var within : copy(writer, removal, one, again)) {
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

    private List<BackupFile.Earlier> copy(
            BackupWriter writer, Removal removal, BackupFile.Earlier one, Again again)
            throws IOException {
        var remembered = intact(removal);
        var file = remembered == null ? again.write(removal) : remembered;
        try (var backup = BackupFile.open(file)) {
            writer.copy(one.entry(), file);
            return backup.earlier();
        } catch (BackupFile.Damaged e) {
            throw new IOException("the backup of " + removal.id() + ": " + e.getMessage(), e);
        } finally {
            if (remembered == null) Files.deleteIfExists(file);
        }
    }

    /** Backups are their owner's, who may have moved or changed one. */
    private @Nullable Path intact(Removal removal) throws IOException {
        var backup = removal.backup();
        if (backup == null) return null;
        var file = directory.resolve(backup.file());
        boolean same = Files.isRegularFile(file) && Storeroom.sha256(file).equals(backup.sha256());
        return same ? file : null;
    }

    /** A copy of the backup of an earlier removal, which is the caller's to delete. */
    @Nullable Path takenOut(Path file, String removal) throws BackupFile.Damaged, IOException {
        Path from = file;
        for (var step : way(file, removal)) {
            try {
                var next = takenOut(from, step);
                if (!from.equals(file)) Files.delete(from);
                from = next;
                BackupFile.verify(from);
            } catch (BackupFile.Damaged | IOException e) {
                if (!from.equals(file)) Files.deleteIfExists(from);
                throw e;
            }
        }
        return from.equals(file) ? null : from;
    }

    private Path takenOut(Path file, BackupFile.Earlier one)
            throws BackupFile.Damaged, IOException {
        var out = Files.createTempFile(directory, "earlier-", ".part");
        try (var backup = BackupFile.open(file);
                var in = backup.read(one.entry())) {
            Files.copy(in, out, StandardCopyOption.REPLACE_EXISTING);
            return out;
        } catch (BackupFile.Damaged | IOException e) {
            Files.deleteIfExists(out);
            throw e;
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
