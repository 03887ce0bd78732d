package dev.coppice.backup;

import dev.coppice.audit.Audit;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Transactions;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.removal.Backups;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.TreeRows;
import dev.coppice.session.Session;
import dev.coppice.thread.Threads;
import dev.coppice.view.WorkViews;
import dev.coppice.wire.Reason;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.InspectWork;
import dev.coppice.work.WorkItem;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes backups, a page of rows at a time, so that a tree of any size needs the same memory. A
 * file gets its name only when it is complete, synced, read back and verified.
 */
public final class BackupsOnDisk implements Backups {
    private static final int ROWS_AT_ONCE = 2_000;
    private static final int ITEMS_AT_ONCE = 500;
    private final Transactions transactions;
    private final TreeRows rows;
    private final DirectoryTasks tasks;
    private final Audit audit;
    private final UploadStore storeroom;
    private final InstantSource clock;
    private final Path directory;
    private final EarlierBackups earlier;
    private final AtomicLong attempts = new AtomicLong();

    public BackupsOnDisk(
            Transactions transactions,
            TreeRows rows,
            DirectoryTasks tasks,
            Audit audit,
            UploadStore storeroom,
            InstantSource clock,
            Path directory) {
        this.transactions = transactions;
        this.rows = rows;
        this.tasks = tasks;
        this.audit = audit;
        this.storeroom = storeroom;
        this.clock = clock;
        this.directory = directory;
        this.earlier = new EarlierBackups(directory);
    }

    @Override
    public Removal.Backup write(Removal removal, List<Removal> earlier) {
        WriteUnderWay.forbid("writing a backup");
        var of = new TreeRows.Of(removal.top().id(), removal.id());
        var about =
                Manifest.MadeFor.removal(
                        removal.id().value(), removal.order().reason(), removal.order().by());
        var top =
                new Manifest.Top(removal.top().id().value(), removal.top().name(), parent(removal));
        return write(
                removal.id().value(),
                of,
                new Made(top, about, removal.id().value(), List.of(), earlier));
    }

    /** Writes a backup of a tree that stays. Live runs are written in their current state. */
    public Removal.Backup write(Session session, String name, InspectWork.Copied copied) {
        WriteUnderWay.forbid("writing a backup");
        var parent = session.place().parentId();
        var top =
                new Manifest.Top(
                        session.id().value(),
                        session.name(),
                        parent == null ? null : parent.value());
        var about = Manifest.MadeFor.request(copied.notPreserved());
        try {
            var of = new TreeRows.Of(session.id(), null);
            return write(name, of, new Made(top, about, null, copied.tasks(), List.of()));
        } finally {
            copied.tasks().forEach(task -> storeroom.drop(task.value()));
        }
    }

    private static @Nullable String parent(Removal removal) {
        var parent = removal.top().parent();
        return parent == null ? null : parent.value();
    }

    /** The top of the tree, the reason for the backup, and what else goes into the file. */
    private record Made(
            Manifest.Top top,
            Manifest.MadeFor about,
            @Nullable String removal,
            List<DirectoryTaskId> copies,
            List<Removal> earlier) {}

    private Removal.Backup write(String name, TreeRows.Of of, Made made) {
        // Another coordinator may back up the same tree at the same time: use a name of our own.
        var mark =
                Long.toHexString(
                        ProcessHandle.current().pid() * 1_000L
                                + attempts.incrementAndGet() % 1_000);
        var part = directory.resolve(name + "." + mark + ".part");
        try {
            Files.createDirectories(directory);
            try (var writer = new BackupWriter(part)) {
                for (var table : rows.tables()) rows(writer, of, table);
                preserved(writer, made);
                var earlier = this.earlier.write(writer, made.earlier());
                writer.finish(
                        new Manifest(
                                Manifest.FORMAT,
                                Manifest.VERSION,
                                clock.instant().toString(),
                                made.top(),
                                writer.entries(),
                                made.about(),
                                earlier,
                                transactions.read(() -> audit.head())));
            }
            BackupFile.verify(part);
            var hash = UploadStore.sha256(part);
            var named = "%s-%s.coppice".formatted(name, hash.substring(0, 8));
            var file = directory.resolve(named);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            UploadStore.sync(directory);
            return new Removal.Backup(named, hash, Files.size(file));
        } catch (IOException | BackupFile.Damaged | RuntimeException e) {
            delete(part);
            throw new NotWritten(Reason.of(e), e);
        }
    }

    @Override
    public void drop(String preservedFile) {
        WriteUnderWay.forbid("deleting preserved files");
        delete(storeroom.file(preservedFile));
    }

    @Override
    public void drop(DirectoryTaskId task) {
        WriteUnderWay.forbid("deleting preserved files");
        storeroom.drop(task.value());
    }

    @Override
    public void keepOnly(RemovalId removal, Removal.@Nullable Backup backup) {
        var needed = backup == null ? "" : backup.file();
        try (var all = Files.newDirectoryStream(directory, removal.value() + "[-.]*")) {
            for (var file : all) {
                if (!String.valueOf(file.getFileName()).equals(needed)) delete(file);
            }
        } catch (IOException e) {
            System.getLogger("backup").log(System.Logger.Level.WARNING, "listing " + directory, e);
        }
    }

    private static void delete(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            System.getLogger("backup").log(System.Logger.Level.WARNING, "deleting " + part, e);
        }
    }

    private void rows(BackupWriter writer, TreeRows.Of of, TreeRows.Table table)
            throws IOException {
        var used = new LinkedHashSet<Map<String, @Nullable Object>>();
        writer.begin(BackupFile.entry(table));
        var numbers = new HashMap<String, Long>();
        var coming = page(of, table, TreeRows.At.START);
        while (coming != null) {
            var page = coming.join();
            // Read the next page while this one is written.
            coming = page.next() == null ? null : page(of, table, page.next());
            for (var row : page.rows()) {
                var fields = row.fields();
                if (table.equals(TreeRows.Table.RUNS)) fields = Redaction.of(row);
                if (table.equals(TreeRows.Table.WAVE_PLANS)) fields = Redaction.ofPlan(row);
                if (table.equals(TreeRows.Table.EVENTS)) fields = numbered(row, numbers);
                if (table.equals(TreeRows.Table.RUNS)) used.add(blueprint(fields));
                writer.line(fields);
            }
        }
        writer.end();
        if (!table.equals(TreeRows.Table.RUNS)) return;
        writer.begin(BackupFile.BLUEPRINTS);
        for (var blueprint : used) writer.line(blueprint);
        writer.end();
    }

    private CompletableFuture<TreeRows.Page> page(
            TreeRows.Of of, TreeRows.Table table, TreeRows.At after) {
        return CompletableFuture.supplyAsync(
                () -> transactions.read(() -> rows.page(of, table, after, ROWS_AT_ONCE)),
                Threads.virtual("backup-page")::start);
    }

    /** Returns the blueprint of a run; runs that share one give equal maps. */
    private static Map<String, @Nullable Object> blueprint(Map<String, @Nullable Object> run) {
        Map<String, @Nullable Object> used = new LinkedHashMap<>();
        used.put("name", run.get("blueprint"));
        used.put("definition", run.get("definition"));
        return used;
    }

    /** Numbers each event within its session: the journal's numbers mean nothing elsewhere. */
    private static Map<String, @Nullable Object> numbered(
            TreeRows.Row row, Map<String, Long> numbers) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        var session = String.valueOf(row.fields().get("session_id"));
        // Events are ordered by session: keep only the current session's number.
        long number = Objects.requireNonNullElse(numbers.get(session), 0L) + 1;
        numbers.clear();
        numbers.put(session, number);
        fields.put("number", number);
        fields.putAll(row.fields());
        return fields;
    }

    private void preserved(BackupWriter writer, Made made) throws IOException {
        writer.begin(BackupFile.WORK);
        var files = new LinkedHashSet<String>();
        var removal = made.removal();
        var cursor = removal == null ? null : Cursor.first(ITEMS_AT_ONCE);
        while (cursor != null && removal != null) {
            var at = cursor;
            var page = transactions.read(() -> tasks.found(removal, at));
            for (var item : page.items()) preserved(writer, item, files);
            cursor = page.next() == null ? null : new Cursor(page.next(), ITEMS_AT_ONCE);
        }
        for (var copy : made.copies()) {
            var items = transactions.read(() -> tasks.found(List.of(copy)));
            for (var item : items) preserved(writer, item, files);
        }
        writer.end();
        for (var file : files) writer.copy(BackupFile.PRESERVED + file, storeroom.file(file));
    }

    private static void preserved(BackupWriter writer, WorkItem item, Set<String> files)
            throws IOException {
        writer.line(item(item));
        var preserved = item.preserved();
        if (preserved != null && preserved.file() != null) files.add(preserved.file());
    }

    private static Object item(WorkItem item) {
        return WorkViews.shown(item);
    }
}
