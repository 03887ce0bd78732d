package dev.coppice.removal;

import dev.coppice.audit.Act;
import dev.coppice.callback.SettleRemoved;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Counted;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RemovalRefusal.CannotBeRestored;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Ports;
import dev.coppice.run.RunState;
import dev.coppice.session.Fences;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Restores a tree from a file: a removal in reverse. Its rows are inserted in chunks and stay
 * hidden; when all are there, the tree becomes visible at one instant. The rows of a failed restore
 * are purged like any others.
 */
public record RestoreTree(
        Ports ports,
        Removals removals,
        TreeRows rows,
        RemovalAudit audit,
        RemovalMoves moves,
        SettleRemoved callbacks,
        Ids ids) {
    private static final int LOOKED_AT_ONCE = 500;

    /**
     * The top and its parent, the depth and size of the tree, the file it comes from, and the
     * treatment of names that are taken.
     */
    public record Request(
            Removal.Top top,
            int levels,
            Removal.Taken taken,
            Removal.Backup file,
            UndoRemoval.Names names) {}

    /** Begins a restore. Nothing is written if it is refused. */
    public Outcome<Removal> begin(Request request, FileContents sessions, Act.Who by) {
        // Checking a large tree takes long: do it outside the write transaction.
        var others = new Others();
        sessions.each(others::add);
        others.look();
        if (others.ids.isEmpty()) sessions.eachRun(others::addRun);
        others.look();
        return ports.transactions()
                .write(() -> {
                    var against = against(request, others);
                    if (against != null) {
                        audit.notRestored(request.top(), request.file().file(), by, against);
                        return Outcome.refused(against);
                    }
                    var now = ports.clock().instant();
                    var file = request.file();
                    var removal =
                            new Removal(
                                    RemovalId.made(ids),
                                    request.top(),
                                    Choices.CAREFUL,
                                    new Removal.Order(
                                            by.name(), "restored from " + file.file(), false, null),
                                    request.taken(),
                                    file.sha256().substring(0, 16),
                                    new RemovalState.Restoring(now),
                                    new Removal.Times(now, null, null, null),
                                    file);
                    removals.addRestoring(removal);
                    moves.tell(removal);
                    audit.restoring(removal, by);
                    return Outcome.done(removal);
                });
    }

    /** Audits a file that could not be read; returns the refusal. */
    public Refusal unread(String file, Act.Who by, Refusal refusal) {
        return ports.transactions()
                .write(() -> {
                    audit.unread(file, by, refusal);
                    return refusal;
                });
    }

    /** A session in the file. */
    public record Named(SessionId id, String name) {}

    /** The sessions in the file, one after the other, and the ids of their runs. */
    public interface FileContents {
        void each(Consumer<Named> look);

        void eachRun(Consumer<String> look);
    }

    /** Existing sessions and runs that have ids or names from the file, looked up in batches. */
    private final class Others {
        private final List<Named> some = new ArrayList<>();
        private final List<String> runs = new ArrayList<>();
        private final Counted.Few ids = new Counted.Few();
        private final Counted.Few names = new Counted.Few();

        void add(Named session) {
            some.add(session);
            if (some.size() == LOOKED_AT_ONCE) look();
        }

        void addRun(String id) {
            runs.add(id);
            if (runs.size() == LOOKED_AT_ONCE) look();
        }

        void look() {
            ports.transactions()
                    .read(() -> {
                        for (var session : some) {
                            var id = session.id();
                            var sessions = ports.sessions();
                            boolean taken = sessions.find(id).isPresent() || sessions.isHidden(id);
                            if (taken) ids.add("'%s'".formatted(id));
                            if (sessions.named(session.name()).isPresent()) {
                                names.add("'%s'".formatted(session.name()));
                            }
                        }
                        runs.stream().filter(rows::hasRun).map("'%s'"::formatted).forEach(ids::add);
                        return some;
                    });
            some.clear();
            runs.clear();
        }
    }

    private @Nullable Refusal against(Request request, Others others) {
        var parent = request.top().parent();
        var gone = parentGone(parent);
        if (gone != null) return gone;
        int depth =
                parent == null
                        ? 0
                        : ports.sessions().find(parent).orElseThrow().place().depth() + 1;
        if (depth + request.levels() > Bounds.TREE_DEPTH_MAX) {
            return new CannotBeRestored(
                    CannotBeRestored.RestoreCause.TOO_DEEP,
                    "the tree would be %d levels deep; the limit is %d levels"
                            .formatted(depth + request.levels(), Bounds.TREE_DEPTH_MAX));
        }
        if (!others.ids.isEmpty()) {
            return new CannotBeRestored(
                    CannotBeRestored.RestoreCause.IDS_TAKEN, "ids already in use: " + others.ids);
        }
        if (!others.names.isEmpty() && request.names() == UndoRemoval.Names.REFUSE) {
            return new CannotBeRestored(
                    CannotBeRestored.RestoreCause.NAMES_TAKEN,
                    "names already in use: " + others.names);
        }
        return null;
    }

    /** Checked at the beginning and at the end: the parent can be removed in between. */
    private @Nullable Refusal parentGone(@Nullable SessionId parent) {
        if (parent == null) return null;
        if (ports.sessions().find(parent).isEmpty()) {
            return new RemovalRefusal.ParentOfRestoredGone(parent.value());
        }
        return Fences.at(ports.sessions(), parent).orElse(null);
    }

    /** The tables whose rows are restored, in their order. */
    public List<TreeRows.Table> tables() {
        return rows.tables();
    }

    /** Inserts some rows, in one transaction. */
    public void insertRows(RemovalId id, TreeRows.Table table, List<TreeRows.Row> some) {
        ports.transactions()
                .writeInBackground(() -> {
                    var removal = removals.find(id).orElseThrow();
                    removals.save(removal.withMoreRows(ports.clock().instant()).orElseThrow());
                    rows.put(id, table, some);
                    return id;
                });
    }

    /**
     * Shows that the restore is alive while its files are copied: a silent restore is rolled back.
     */
    public void keepAlive(RemovalId id) {
        insertRows(id, TreeRows.Table.SESSIONS, List.of());
    }

    /** True if the session was restored, or is hidden for another reason. */
    public boolean isThere(SessionId id) {
        return ports.transactions().read(() -> ports.sessions().isHidden(id));
    }

    /**
     * Makes the tree visible, at one instant. {@code copied} is the session that its top is a copy
     * of, if it has an id of its own.
     */
    public Outcome<Removal> finish(
            RemovalId id, UndoRemoval.Names names, @Nullable SessionId copied) {
        return ports.transactions()
                .write(() -> {
                    var removal = removals.find(id).orElseThrow();
                    var gone = parentGone(removal.top().parent());
                    if (gone != null) return refused(removal, gone);
                    var taken = removals.takenNames(id);
                    if (!taken.isEmpty() && names == UndoRemoval.Names.REFUSE) {
                        return refused(
                                removal,
                                new CannotBeRestored(
                                        CannotBeRestored.RestoreCause.NAMES_TAKEN,
                                        "names already in use: " + Counted.Few.quoted(taken)));
                    }
                    removals.giveNamesBack(id);
                    removals.markAllUnannounced(id);
                    if (copied != null) {
                        rows.continues(copied, removal.top().id(), ports.clock().instant());
                    }
                    var moved =
                            moves.move(
                                    removal,
                                    new RemovalEvent.RowsRestored(ports.clock().instant()));
                    var parent = removal.top().parent();
                    if (parent != null) {
                        // The callbacks name the removal that wrote the backup, which has another
                        // id.
                        var top = removal.top().id();
                        callbacks.reviveOwedToParent(ports, parent, top, _ -> true);
                    }
                    return Outcome.done(moved.orElseThrow());
                });
    }

    private Outcome<Removal> refused(Removal removal, Refusal refusal) {
        audit.refused("restore.finish", removal, Act.Who.rule(removal.order().by()), refusal);
        return Outcome.refused(refusal);
    }

    /** The reason with which a restore ends runs that were live when the backup was written. */
    public static String endReason(RemovalId restore) {
        return "it ran when the backup that %s restores was made".formatted(restore);
    }

    /**
     * Notifies the listeners if the restore ended the session's run, and returns the range of its
     * event numbers, which are above those that any follower has passed. After an undo the range is
     * empty, because the events kept their numbers.
     */
    public static Journal.Range settleRestored(Ports ports, Removal removal, Member member) {
        if (removal.times().hidden() != null) return Journal.Range.NONE;
        ports.runs()
                .latestOf(member.id())
                .filter(r ->
                        r.state() instanceof RunState.Ended end
                                && endReason(removal.id()).equals(end.reason()))
                .ifPresent(r -> ports.listener().runEnded(ports, r));
        return ports.journal().range(Journal.Scope.of(member.id()));
    }

    public void broken(RemovalId id) {
        ports.transactions()
                .write(() ->
                        removals.find(id)
                                .flatMap(r ->
                                        moves.move(
                                                r,
                                                new RemovalEvent.RestoreFailed(
                                                        ports.clock().instant()))));
    }
}
