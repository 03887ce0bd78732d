package dev.coppice.sim;

import dev.coppice.removal.Backups;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.work.DirectoryTaskId;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Backups on a disk that is sometimes full. */
record SimBackups(Disk disk, BooleanSupplier isFull, Consumer<Removal> snapshot)
        implements Backups {
    private static final String HASH = "0123456789abcdef0123456789abcdef";

    @Override
    public Removal.Backup write(Removal removal, List<Removal> earlier) {
        if (isFull.getAsBoolean()) {
            throw new NotWritten("the disk is full", new IllegalStateException());
        }
        snapshot.accept(removal);
        return new Removal.Backup(disk.backUp(removal.id().value()), HASH, 1);
    }

    @Override
    public void drop(String preservedFile) {
        // The simulation stores no output of runs.
    }

    @Override
    public void drop(DirectoryTaskId task) {
        // Restores carry no files in the simulation.
    }

    @Override
    public void keepOnly(RemovalId removal, Removal.@Nullable Backup backup) {
        disk.keepOnly(removal.value(), backup == null ? null : backup.file());
    }
}
