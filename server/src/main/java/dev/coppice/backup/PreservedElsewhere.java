package dev.coppice.backup;

import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Removal;
import dev.coppice.view.WorkViews;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.WorkView;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.WorkItem;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Imports the preserved work of a backup, so that it can be listed and restored here. */
public final class PreservedElsewhere {
    private final Transactions transactions;
    private final DirectoryTasks tasks;
    private final UploadStore storeroom;
    private final InstantSource clock;

    public PreservedElsewhere(
            Transactions transactions,
            DirectoryTasks tasks,
            UploadStore storeroom,
            InstantSource clock) {
        this.transactions = transactions;
        this.tasks = tasks;
        this.storeroom = storeroom;
        this.clock = clock;
    }

    /**
     * Imports the files, then the rows, under a new directory task for each task that preserved
     * something. Calls {@code goingOn} repeatedly, because large files take long.
     */
    void bringIn(BackupFile backup, Removal removal, Runnable goingOn) {
        Map<String, List<WorkView>> byTask = new LinkedHashMap<>();
        backup.lines(
                BackupFile.WORK,
                line -> {
                    var item = Json.as(line, WorkView.class);
                    var preserved = item.preserved();
                    var file = preserved == null ? null : preserved.file();
                    if (file == null || file.indexOf('/') < 0) return;
                    var task = file.substring(0, file.indexOf('/'));
                    byTask.computeIfAbsent(task + " " + item.host(), _ -> new ArrayList<>())
                            .add(item);
                });
        byTask.values().forEach(items -> bringIn(backup, removal, items, goingOn));
    }

    private void bringIn(
            BackupFile backup, Removal removal, List<WorkView> items, Runnable goingOn) {
        var now = clock.instant();
        var host = items.getFirst().host();
        var id = transactions.write(() -> tasks.adopt(removal.id().value(), host, now));
        var here = new ArrayList<WorkItem>();
        for (var item : items) here.add(bringIn(backup, id, item, goingOn));
        transactions.write(() -> {
            tasks.complete(id, now, here);
            return id;
        });
    }

    private WorkItem bringIn(
            BackupFile backup, DirectoryTaskId id, WorkView item, Runnable goingOn) {
        var file = String.valueOf(Objects.requireNonNull(item.preserved()).file());
        var named = id + file.substring(file.indexOf('/'));
        goingOn.run();
        try (var in = new Telling(backup.read(BackupFile.PRESERVED + file), goingOn)) {
            storeroom.put(named, in);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
        return WorkViews.read(item, named);
    }

    /** Calls back after every {@link #BYTES} read. */
    private static final class Telling extends FilterInputStream {
        private static final long BYTES = 64L * 1024 * 1024;
        private final Runnable tell;
        private long read;

        Telling(InputStream in, Runnable tell) {
            super(in);
            this.tell = tell;
        }

        @Override
        public int read(byte[] into, int at, int most) throws IOException {
            int some = super.read(into, at, most);
            if (some > 0 && (read += some) >= BYTES) {
                read = 0;
                tell.run();
            }
            return some;
        }
    }
}
