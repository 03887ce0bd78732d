package dev.coppice.operations.removal;

import dev.coppice.access.Need;
import dev.coppice.backup.BackupsOnDisk;
import dev.coppice.backup.FileAudit;
import dev.coppice.backup.Fsck;
import dev.coppice.backup.RestoreFile;
import dev.coppice.backup.Storeroom;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.operation.Context;
import dev.coppice.operation.Operation;
import dev.coppice.operation.Rejected;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.removal.Backups;
import dev.coppice.removal.Inventory.Leftover;
import dev.coppice.removal.Removal;
import dev.coppice.removal.Removals;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.session.Session;
import dev.coppice.view.RemovalViews;
import dev.coppice.view.WorkViews;
import dev.coppice.web.Reply;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.removal.BackupView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.session.EventCalls;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.work.ErrandId;
import dev.coppice.work.Errands;
import dev.coppice.work.WorkSeen;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** What is kept of removed sessions: preserved work, and backups to restore them from. */
public final class BackupOperations {
    private static final String UPLOADS = "uploads";
    private final Scope scope;
    private final Kept kept;
    private final RemovalsSeen seen;
    private final Ids ids;

    /** Where it all is, and the commands. */
    public record Kept(
            Removals removals,
            Errands errands,
            Storeroom storeroom,
            BackupsOnDisk backups,
            RestoreFile restore,
            Fsck fsck,
            FileAudit audit,
            LookingAtWork looking,
            Path directory) {}

    public BackupOperations(Scope scope, Kept kept, Ids ids) {
        this.scope = scope;
        this.kept = kept;
        this.seen = new RemovalsSeen(scope, kept.removals(), kept.errands());
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
                Operation.of(BackupCalls.FSCK, Need.DEFINE, (_, in) -> fsck(in)),
                Operation.of(BackupCalls.RESTORE, Need.DEFINE, this::restore));
    }

    private Outcome<RemovalCalls.Kept> work(Context x, RemovalCalls.Within in) {
        return seen.reading(
                x,
                in.removalId(),
                r -> {
                    var page = kept.errands().found(r.id().value(), Given.cursor(in.page()));
                    return new RemovalCalls.Kept(
                            r.id().value(),
                            page.items().stream().map(WorkViews::shown).toList(),
                            page.next());
                });
    }

    /** Only files that this removal has kept: a name alone opens nothing. */
    private Outcome<Reply> workFile(Context x, RemovalCalls.WorkFile in) {
        var name = in.file();
        var errand = name.indexOf('/') < 0 ? name : name.substring(0, name.indexOf('/'));
        return seen.reading(
                        x,
                        in.removalId(),
                        r -> {
                            boolean its =
                                    kept.errands()
                                            .find(new ErrandId(errand))
                                            .filter(e -> r.id().value().equals(e.removal()))
                                            .isPresent();
                            return new Found(r, its ? keptFile(name) : null);
                        })
                .then(found -> fetched(x, "work.fetch", found, name));
    }

    private record Found(@Nullable Removal removal, @Nullable Path path) {}

    private @Nullable Path keptFile(String name) {
        try {
            return kept.storeroom().file(name);
        } catch (Storeroom.NotTaken _) {
            return null;
        }
    }

    private Outcome<Reply> backupOf(Context x, RemovalCalls.At in) {
        return seen.reading(x, in.removalId(), r -> r)
                .then(r -> {
                    var backup = r.backup();
                    var name = backup == null ? "none of " + r.id() : backup.file();
                    var path = backup == null ? null : kept.directory().resolve(name);
                    return fetched(x, "backup.fetch", new Found(r, path), name);
                });
    }

    private Outcome<Reply> backup(Context x, BackupCalls.FileAt in) {
        return fetched(x, "backup.fetch", new Found(null, known(in.file())), in.file());
    }

    /** The audit has who fetched a file before it is sent. */
    private Outcome<Reply> fetched(Context x, String act, Found found, String name) {
        var path = found.path();
        if (path == null || !Files.isRegularFile(path)) {
            return Outcome.refused(new RemovalRefusal.FileUnknown(name));
        }
        var file = kept.directory().relativize(path).toString();
        kept.audit().fetched(act, found.removal(), file, x.who());
        return Outcome.done(new Reply.File(path));
    }

    private Path known(String name) {
        try {
            // The rules of the storeroom for names keep callers inside of the directory.
            kept.storeroom().file(UPLOADS, name);
        } catch (Storeroom.NotTaken e) {
            throw Given.bad("file", name, "a plain name: " + e.getMessage());
        }
        return kept.directory().resolve(name);
    }

    private static Rejected notTaken(String name, Storeroom.NotTaken e) {
        return Given.bad("file", name, "handed in as it was said: " + e.getMessage());
    }

    /** Written while no transaction is open: a large tree takes its time. */
    private Outcome<BackupView> backUp(Context x, SessionCalls.At in) {
        return scope.lookedUp(x, Need.ACT, in.sessionId()).then(session -> backUp(x, session));
    }

    private Outcome<BackupView> backUp(Context x, Session session) {
        try {
            var name = "bak_" + ids.twelveHex();
            var backup =
                    kept.looking()
                            .copied(session.id(), c -> kept.backups().write(session, name, c));
            kept.audit().written(session, backup, x.who());
            return Outcome.done(RemovalViews.shown(backup));
        } catch (Backups.NotWritten e) {
            return Outcome.refused(
                    new RemovalRefusal.BackupNotWritten(String.valueOf(e.getMessage())));
        }
    }

    private Outcome<EventCalls.Done> upload(BackupCalls.Part in) {
        try {
            var bytes = Base64.getDecoder().decode(in.data());
            kept.storeroom().take(UPLOADS, in.file(), in.offset(), bytes);
            return Outcome.done(EventCalls.Done.OK);
        } catch (Storeroom.NotTaken e) {
            throw notTaken(in.file(), e);
        } catch (IllegalArgumentException _) {
            throw Given.bad("data", "a text", "bytes in base 64");
        }
    }

    private Outcome<BackupCalls.Checked> fsck(BackupCalls.Check in) {
        var patience = in.patience().or(LookingAtWork.PATIENCE);
        var found = new ArrayList<>(kept.fsck().leftovers());
        if (found.stream().anyMatch(Fsck::isDamage)) return checked(found, WorkSeen.NOTHING);
        // A run that ends at this moment is over, or gone, at a second look.
        var seen = kept.looking().everywhere(patience);
        var outside = kept.fsck().leftovers(seen);
        if (!outside.isEmpty()) {
            var again = kept.looking().everywhere(patience);
            // A host that does not answer twice has not taken back its first answer.
            if (again.unseenHosts().equals(seen.unseenHosts())) {
                outside = kept.fsck().leftovers(again);
            }
        }
        found.addAll(outside);
        return checked(found, seen);
    }

    private static Outcome<BackupCalls.Checked> checked(List<Leftover> found, WorkSeen seen) {
        var leftovers =
                found.stream()
                        .map(l -> new BackupCalls.Leftover(l.what(), l.count(), l.some()))
                        .toList();
        return Outcome.done(
                new BackupCalls.Checked(
                        found.isEmpty(), leftovers, seen.unseenHosts(), seen.failures()));
    }

    private Outcome<RemovalView> restore(Context x, BackupCalls.Restore in) {
        var name = in.file();
        var hash = in.sha256();
        if (hash != null) taken(name, hash, in.size() == null ? -1 : in.size());
        var path = hash == null ? known(name) : kept.storeroom().file(UPLOADS, name);
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
        var relative = kept.directory().relativize(path).toString();
        return kept.restore()
                .restore(relative, wanted, x.who())
                .map(r -> scope.transactions().read(() -> seen.view(r)));
    }

    private void taken(String name, String hash, long size) {
        try {
            kept.storeroom().complete(UPLOADS + "/" + name, hash, size);
        } catch (Storeroom.NotTaken e) {
            throw notTaken(name, e);
        }
    }
}
