package dev.coppice.backup;

import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Inventory;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.DirectoryTasks;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Deletes the files that a crash left: unfinished ones, and those of removals and directory tasks
 * that do not refer to them. Files of removals and tasks that are unknown here are not touched.
 */
public final class Strays {
    /** A younger file may still be written by a slow writer. */
    private static final Duration LATE = Duration.ofDays(1);

    private static final Pattern OF_A_REMOVAL =
            Pattern.compile("(rem_[0-9a-f]{12})-[0-9a-f]{8}\\.coppice");
    private static final Pattern OF_A_TASK = Pattern.compile("task_[0-9]+");

    private final Transactions transactions;
    private final Removals removals;
    private final DirectoryTasks tasks;
    private final Inventory inventory;
    private final InstantSource clock;
    private final Path directory;

    public Strays(
            Transactions transactions,
            Removals removals,
            DirectoryTasks tasks,
            Inventory inventory,
            InstantSource clock,
            Path directory) {
        this.transactions = transactions;
        this.removals = removals;
        this.tasks = tasks;
        this.inventory = inventory;
        this.clock = clock;
        this.directory = directory;
    }

    /** Deletes the strays; returns their number. */
    public int deleteAll() {
        int gone = 0;
        for (var file : listed(directory)) {
            if (isUnfinished(file) || isForgottenBackup(file)) gone += delete(file);
        }
        var preserved = directory.resolve("preserved");
        for (var upload : listed(preserved.resolve("uploads"))) {
            if (isOlder(upload, LATE) && !isRemembered(upload)) gone += delete(upload);
        }
        for (var task : listed(preserved)) {
            for (var file : listed(task)) {
                if (isOlder(file, LATE) && isForgotten(task, file)) gone += delete(file);
            }
        }
        return gone;
    }

    private boolean isRemembered(Path upload) {
        var name = directory.relativize(upload).toString();
        return transactions.read(() -> inventory.backups().contains(name));
    }

    /** Returns backups of removals that refer to another file, or ended without one. */
    List<String> forgottenBackups() {
        return listed(directory).stream()
                .filter(this::isForgottenBackup)
                .map(f -> String.valueOf(f.getFileName()))
                .toList();
    }

    private boolean isForgottenBackup(Path file) {
        var name = String.valueOf(file.getFileName());
        var matched = OF_A_REMOVAL.matcher(name);
        if (!matched.matches()) return false;
        var id = new RemovalId(matched.group(1));
        return transactions.read(() ->
                removals.find(id)
                        .filter(Strays::isPastIt)
                        .filter(r -> !name.equals(file(r)))
                        .isPresent());
    }

    private static boolean isPastIt(Removal removal) {
        return switch (removal.state()) {
            case RemovalState.Fencing _, RemovalState.Quiescing _ -> false;
            case RemovalState.Preserving _, RemovalState.BackingUp _ -> false;
            case RemovalState.Detaching _, RemovalState.Hiding _, RemovalState.Hidden _ -> true;
            case RemovalState.Restoring _, RemovalState.Undoing _ -> true;
            case RemovalState.TakingBack _, RemovalState.Purging _ -> true;
            case RemovalState.Over _ -> true;
        };
    }

    private static @Nullable String file(Removal removal) {
        var backup = removal.backup();
        return backup == null ? null : backup.file();
    }

    /**
     * True if the file was uploaded for a directory task of a removal here, and the task is over
     * and does not refer to it. False for a task that is unknown here.
     */
    boolean isForgotten(Path task, Path file) {
        var number = String.valueOf(task.getFileName());
        if (!OF_A_TASK.matcher(number).matches()) return false;
        var id = new DirectoryTaskId(number);
        var name = number + "/" + file.getFileName();
        return transactions.read(() -> {
            var found = tasks.find(id);
            if (found.isEmpty()) return false;
            // A copy is for a backup that is written at once or never.
            if (found.get().kind() == DirectoryTask.Kind.COPY) return isOlder(file, LATE);
            return found.get().removal() != null
                    && !tasks.isOpen(id)
                    && tasks.found(List.of(id)).stream()
                            .noneMatch(i ->
                                    i.preserved() != null && name.equals(i.preserved().file()));
        });
    }

    private boolean isUnfinished(Path file) {
        return String.valueOf(file.getFileName()).endsWith(".part") && isOlder(file, LATE);
    }

    private boolean isOlder(Path file, Duration age) {
        try {
            var since = Files.getLastModifiedTime(file).toInstant();
            Instant now = clock.instant();
            return since.plus(age).isBefore(now);
        } catch (NoSuchFileException _) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("looking at " + file, e);
        }
    }

    private static List<Path> listed(Path directory) {
        if (!Files.isDirectory(directory)) return List.of();
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        } catch (IOException e) {
            throw new UncheckedIOException("listing " + directory, e);
        }
    }

    private static int delete(Path file) {
        try {
            return Files.isRegularFile(file) && Files.deleteIfExists(file) ? 1 : 0;
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + file, e);
        }
    }
}
