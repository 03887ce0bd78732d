package dev.coppice.boot;

import dev.coppice.store.engine.Database;
import dev.coppice.store.removal.SqlBackupDirectory;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The directory of backups and preserved work of a database that several coordinators share. The
 * rows of all of them refer to files in it, so each must see the same directory: a random id is
 * both in the database and in a file of the directory. The paths may differ, as on a network file
 * system.
 */
final class BackupDirectory {
    private static final String MARKER = ".coppice-backups";
    private static final int ID_BYTES = 8;

    private BackupDirectory() {}

    /**
     * Binds the database to the directory at the first start, and refuses another directory at each
     * later one. Reads and writes the file inside the transaction: writes of all coordinators are
     * serialized, so the later of two first starts sees the id of the earlier one.
     */
    static void bind(Path directory, Database database) {
        try {
            var other = database.write(() -> otherThan(directory));
            if (other.isPresent()) throw new DataDirectory.Unusable(other.get());
        } catch (UncheckedIOException e) {
            throw new DataDirectory.Unusable(
                    "the directory of backups \"%s\" cannot be used: %s"
                            .formatted(directory, e.getMessage()));
        }
    }

    /** Returns the refusal, if the database is bound to another directory than this one. */
    private static Optional<String> otherThan(Path directory) {
        var marker = directory.resolve(MARKER);
        var here = read(marker);
        var bound = SqlBackupDirectory.id();
        if (bound.isEmpty()) {
            SqlBackupDirectory.set(here == null ? created(marker) : here);
            return Optional.empty();
        }
        if (bound.get().equals(here)) return Optional.empty();
        return Optional.of(
                """
                COPPICE_BACKUPS is "%1$s", which is not the directory of backups of this database: \
                the database has the directory with id "%2$s", and %3$s; set COPPICE_BACKUPS to \
                the directory that the database's other coordinators use, or, if its files are now \
                in "%1$s", write "%2$s" into "%4$s"\
                """
                        .formatted(
                                directory,
                                bound.get(),
                                here == null
                                        ? "this one has no id"
                                        : "this one has the id \"" + here + "\"",
                                marker));
    }

    private static @Nullable String read(Path marker) {
        try {
            return Files.exists(marker) ? Files.readString(marker).strip() : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String created(Path marker) {
        var random = new byte[ID_BYTES];
        new SecureRandom().nextBytes(random);
        var id = HexFormat.of().formatHex(random);
        try {
            Files.writeString(marker, id + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return id;
    }
}
