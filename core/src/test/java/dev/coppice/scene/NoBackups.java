package dev.coppice.scene;

import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.removal.Backups;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.work.DirectoryTaskId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Backups that are never written to a disk. */
public final class NoBackups implements Backups {
    /** Errors that the next attempts to write a backup throw, one each. */
    public final List<String> troubles = new ArrayList<>();

    @Override
    public Removal.Backup write(Removal removal, List<Removal> earlier) {
        if (troubles.isEmpty()) return new Removal.Backup(removal.id() + ".coppice", "hash", 1);
        var trouble = troubles.removeFirst();
        throw new NotWritten(trouble, new IllegalStateException(trouble));
    }

    @Override
    public void drop(String preservedFile) {
        WriteUnderWay.forbid("deleting preserved files");
    }

    @Override
    public void drop(DirectoryTaskId task) {
        WriteUnderWay.forbid("deleting preserved files");
    }

    @Override
    public void keepOnly(RemovalId removal, Removal.@Nullable Backup backup) {
        // No files in memory.
    }
}
