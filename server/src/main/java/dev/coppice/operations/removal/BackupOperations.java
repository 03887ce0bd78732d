package dev.coppice.operations.removal;

import dev.coppice.access.Need;
import dev.coppice.backup.BackupsOnDisk;
import dev.coppice.backup.FileAudit;
import dev.coppice.backup.Fsck;
import dev.coppice.backup.RestoreFile;
import dev.coppice.backup.UploadStore;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.removal.Backups;
import dev.coppice.removal.Removal;
import dev.coppice.removal.Removals;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Reply;
import dev.coppice.session.Session;
import dev.coppice.view.RemovalViews;
import dev.coppice.view.WorkViews;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.removal.BackupCalls.Leftover.Kind;
import dev.coppice.wire.removal.BackupView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.removal.StorageCalls;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.InspectedWork;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;

/** Preserved work of removed sessions, and the backups that restore sessions. */
public final class BackupOperations {
    private static final String UPLOADS = "uploads";
    private final Scope scope;
    private final DirectoryTasks tasks;
    private final UploadStore storeroom;
    private final BackupsOnDisk backups;
    private final RestoreFile restore;
    private final Fsck fsck;
    private final FileAudit audit;
    private final Supplier<StorageCalls.Storage> storage;
    private final WorkInspection looking;
    private final Path directory;
    private final VisibleRemovals seen;
    private final Ids ids;

    public BackupOperations(
            Scope scope,
            Removals removals,
            DirectoryTasks tasks,
            UploadStore storeroom,
            BackupsOnDisk backups,
            RestoreFile restore,
            Fsck fsck,
            FileAudit audit,
            Supplier<StorageCalls.Storage> storage,
            WorkInspection looking,
            Path directory,
            Ids ids) {
        this.scope = scope;
        this.tasks = tasks;
        this.storeroom = storeroom;
        this.backups = backups;
        this.restore = restore;
        this.fsck = fsck;
        this.audit = audit;
        this.storage = storage;
        this.looking = looking;
        this.directory = directory;
        this.seen = new VisibleRemovals(scope, removals, tasks);
        this.ids = ids;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(RemovalCalls.WORK, Need.READ, this::work),
                Operation.sending(RemovalCalls.WORK_FILE, Need.DEFINE, this::workFile),
                Operation.sending(BackupCalls.OF_REMOVAL, Need.DEFINE, this::backupOf),
                Operation.of(BackupCalls.WRITE, Need.DEFINE, this::backUp),
                Operation.sending(BackupCalls.FETCH, Need.DEFINE, this::backup),
                Operation.of(BackupCalls.UPLOAD, Need.DEFINE, (_, in) -> upload(in)),
                Operation.of(StorageCalls.READ, Need.DEFINE, (_, _) -> Outcome.done(storage.get())),
                Operation.of(BackupCalls.FSCK, Need.DEFINE, (_, in) -> fsck(in)),
                Operation.of(BackupCalls.RESTORE, Need.DEFINE, this::restore));
    }

    private Outcome<RemovalCalls.Preserved> work(Context x, RemovalCalls.Within in) {
        return seen.reading(
                x,
                in.removalId(),
                r -> {
                    var page = tasks.found(r.id().value(), Given.cursor(in.page()));
                    return new RemovalCalls.Preserved(
                            r.id().value(),
                            page.items().stream().map(WorkViews::shown).toList(),
                            page.next());
                });
    }

    /** Sends only files that this removal preserved: a name alone gives no access. */
    private Outcome<Reply> workFile(Context x, RemovalCalls.WorkFile in) {
        var name = in.file();
        var task = name.indexOf('/') < 0 ? name : name.substring(0, name.indexOf('/'));
        return seen.reading(
                        x,
                        in.removalId(),
                        r -> {
                            boolean isOwn =
                                    tasks.find(new DirectoryTaskId(task))
                                            .filter(e -> r.id().value().equals(e.removal()))
                                            .isPresent();
                            return new Found(r, isOwn ? preservedFile(name) : null);
                        })
                .then(found -> fetched(x, "work.fetch", found, name));
    }

    private record Found(@Nullable Removal removal, @Nullable Path path) {}

    private @Nullable Path preservedFile(String name) {
        try {
            return storeroom.file(name);
        } catch (UploadStore.NotTaken _) {
            return null;
        }
    }

    private Outcome<Reply> backupOf(Context x, RemovalCalls.At in) {
        return seen.reading(x, in.removalId(), r -> r)
                .then(r -> {
                    var backup = r.backup();
                    var name = backup == null ? "for a backup of " + r.id() : backup.file();
                    var path = backup == null ? null : directory.resolve(name);
                    return fetched(x, "backup.fetch", new Found(r, path), name);
                });
    }

    private Outcome<Reply> backup(Context x, BackupCalls.FileAt in) {
        return fetched(x, "backup.fetch", new Found(null, known(in.file())), in.file());
    }

    /** Records the caller in the audit before the file is sent. */
    private Outcome<Reply> fetched(Context x, String act, Found found, String name) {
        var path = found.path();
        if (path == null || !Files.isRegularFile(path)) {
            return Outcome.refused(new RemovalRefusal.FileUnknown(name));
        }
        var file = directory.relativize(path).toString();
        audit.fetched(act, found.removal(), file, x.who());
        return Outcome.done(new Reply.File(path));
    }

    private Path known(String name) {
        try {
            // The storeroom's rules for names keep the path inside of the directory.
            storeroom.file(UPLOADS, name);
        } catch (UploadStore.NotTaken e) {
            throw Given.bad("file", name, "a plain name: " + e.getMessage());
        }
        return directory.resolve(name);
    }

    private static Rejected notTaken(String name, UploadStore.NotTaken e) {
        return Given.bad("file", name, "uploaded as declared: " + e.getMessage());
    }

    /** Writes outside of every transaction: a large tree takes time. */
    private Outcome<BackupView> backUp(Context x, SessionCalls.At in) {
        return scope.lookedUp(x, Need.ACT, in.sessionId()).then(session -> backUp(x, session));
    }

    private Outcome<BackupView> backUp(Context x, Session session) {
        try {
            var name = "bak_" + ids.twelveHex();
            var backup = looking.withCopies(session.id(), c -> backups.write(session, name, c));
            audit.written(session, backup, x.who());
            return Outcome.done(RemovalViews.shown(backup));
        } catch (Backups.NotWritten e) {
            return Outcome.refused(notWritten(e));
        }
    }

    private static RemovalRefusal notWritten(Backups.NotWritten e) {
        return new RemovalRefusal.BackupNotWritten(String.valueOf(e.getMessage()));
    }

    private Outcome<EventCalls.Done> upload(BackupCalls.Part in) {
        try {
            var bytes = Base64.getDecoder().decode(in.data());
            storeroom.take(UPLOADS, in.file(), in.offset(), bytes);
            return Outcome.done(EventCalls.Done.OK);
        } catch (UploadStore.NotTaken e) {
            throw notTaken(in.file(), e);
        } catch (Backups.NotWritten e) {
            return Outcome.refused(notWritten(e));
        } catch (IllegalArgumentException _) {
            throw Given.bad("data", "a text", "bytes in base 64");
        }
    }

    private Outcome<BackupCalls.Checked> fsck(BackupCalls.Check in) {
        var patience = in.patience().or(WorkInspection.PATIENCE);
        var found = new ArrayList<>(fsck.leftovers());
        if (found.stream().anyMatch(l -> l.kind() == Kind.DAMAGE))
            return checked(found, InspectedWork.NOTHING);
        // Look twice: a run that is ending at the first look is over at the second.
        var seen = looking.everywhere(patience);
        var outside = fsck.leftovers(seen);
        if (!outside.isEmpty()) {
            var again = looking.everywhere(patience);
            // The first result stands unless the same hosts answered both looks.
            if (again.unseenHosts().equals(seen.unseenHosts())) {
                outside = fsck.leftovers(again);
            }
        }
        found.addAll(outside);
        return checked(found, seen);
    }

    private static Outcome<BackupCalls.Checked> checked(
            List<BackupCalls.Leftover> found, InspectedWork seen) {
        return Outcome.done(
                new BackupCalls.Checked(
                        found.isEmpty(), found, seen.unseenHosts(), seen.failures()));
    }

    private Outcome<RemovalView> restore(Context x, BackupCalls.Restore in) {
        var name = in.file();
        var hash = in.sha256();
        if (hash != null) taken(name, hash, in.size() == null ? -1 : in.size());
        var path = hash == null ? known(name) : storeroom.file(UPLOADS, name);
        var under = in.under() == null ? null : Given.sessionId("under", in.under());
        var where =
                under != null
                        ? RestoreFile.Where.UNDER
                        : in.asRoot() ? RestoreFile.Where.AS_ROOT : RestoreFile.Where.AS_IT_WAS;
        var wanted =
                new RestoreFile.Wanted(
                        where,
                        under,
                        new RestoreFile.NewIds(
                                in.newIds() ? ids.twelveHex().substring(0, 6) : null),
                        in.rename() ? UndoRemoval.Names.RENAME : UndoRemoval.Names.REFUSE,
                        in.removal());
        var relative = directory.relativize(path).toString();
        return restore.restore(relative, wanted, x.who())
                .map(r -> scope.transactions().read(() -> seen.view(r)));
    }

    private void taken(String name, String hash, long size) {
        try {
            storeroom.complete(UPLOADS + "/" + name, hash, size);
        } catch (UploadStore.NotTaken e) {
            throw notTaken(name, e);
        } catch (Backups.NotWritten e) {
            throw new Rejected(notWritten(e));
        }
    }
}
