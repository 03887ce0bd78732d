package dev.coppice.sim;

import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.audit.AuditChain;
import dev.coppice.audit.AuditRecord;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackFilter;
import dev.coppice.callback.CallbackState;
import dev.coppice.callback.Callbacks;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.run.Holder;
import dev.coppice.run.Lease;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.Runs;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.session.Sessions;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTasks;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Plausible bugs, planted one at a time: an invariant that does not find its own faults within a
 * hundred seeds proves nothing.
 */
enum Fault {
    NONE,

    /** An unchecked move: now and then a root is attached below one of its own descendants. */
    UNCHECKED_MOVE,

    /** The parent is read from stale data, outside the transaction. */
    STALE_PARENT,

    /** Every reporter counts as the holder of the lease. */
    NO_FENCE,

    /** An end is forgotten, so that it can be reported again. */
    FORGOTTEN_END,

    /** An event becomes visible only after one with a greater number. */
    LATE_NUMBER,

    /** The callbacks that a run carried are forgotten when it does not finish. */
    SWALLOWED_CALLBACK,

    /** A delivered callback counts as still owed. */
    DELIVERED_TWICE,

    /** The fence of a tree that is being stopped is ignored. */
    STOP_FENCE_IGNORED,

    /** Live descendants of a session are not counted. */
    FORGOTTEN_BELOW,

    /** Sessions with due callbacks are not found. */
    DUE_CALLBACKS_HIDDEN,

    /** A crash within a transaction leaves half of it behind. */
    TORN,

    /** Only the top is enlisted; the sessions below it are forgotten. */
    HALF_ENLISTED,

    /** Enlisted sessions are never released. */
    NEVER_RELEASED,

    /** Work that no runner has preserved yet counts as preserved. */
    UNPRESERVED,

    /** Preserved copies are not released when the removal does not take place. */
    COPY_NOT_RELEASED,

    /** No runner is asked to remove the directories. */
    DIRECTORY_LEFT,

    /** Every session counts as part of every tree. */
    TREE_CHECK_SKIPPED,

    /** The fence of a tree that is being removed is ignored. */
    REMOVAL_FENCE_IGNORED,

    /** The undo window counts as over when it begins. */
    NO_UNDO_WINDOW,

    /** Decisions about removals are not written to the audit log. */
    AUDIT_SKIPPED,

    /** Each decision is written to the audit log together with the next one. */
    AUDIT_LATE,

    /** Sessions under removal never count as live. */
    LIVE_IGNORED,

    /** The expiry of leases reads the clock when the writer gets to it. */
    STALL_UNNOTICED;

    private static final int REMOVALS_MAX = 1_000;

    /** The record that an audit without storage returns. */
    private static final AuditRecord NOTHING =
            new AuditRecord(
                    0,
                    new Act(
                            Instant.EPOCH,
                            Act.Who.rule("nobody"),
                            new Act.What("nothing", null, null, null, null),
                            Act.Decision.allowed(null),
                            null,
                            null),
                    AuditChain.BEGINNING,
                    AuditChain.BEGINNING);

    Sessions over(Sessions real, World world) {
        return switch (this) {
            case STALE_PARENT ->
                    Planted.over(
                            Sessions.class,
                            Planted.over(
                                    Sessions.class,
                                    real,
                                    "find",
                                    (said, _) -> world.isStarting() ? stale(said) : said),
                            "named",
                            (said, _) -> world.isStarting() ? stale(said) : said);
            case TREE_CHECK_SKIPPED ->
                    Planted.over(Sessions.class, real, "isWithin", (_, _) -> true);
            case UNCHECKED_MOVE ->
                    Planted.over(
                            Sessions.class,
                            real,
                            "add",
                            (said, arguments) -> {
                                move(real, (Session) arguments[0]);
                                return said;
                            });
            case LIVE_IGNORED ->
                    Planted.over(Sessions.class, real, "liveLeaves", (_, _) -> List.of());
            case STOP_FENCE_IGNORED -> above(real, a -> with(a, a.session().fenced(null)));
            case REMOVAL_FENCE_IGNORED -> above(real, a -> with(a, a.session().removedBy(null)));
            case FORGOTTEN_BELOW ->
                    above(real, a -> new Ancestor(a.session(), a.livingChildren(), 0));
            default -> real;
        };
    }

    /** Alters each ancestor that the port returns. */
    private static Sessions above(Sessions real, UnaryOperator<Ancestor> change) {
        return Planted.over(
                Sessions.class,
                real,
                "ancestry",
                (said, _) ->
                        ((List<?>) said).stream().map(Ancestor.class::cast).map(change).toList());
    }

    private static Ancestor with(Ancestor a, Session other) {
        return new Ancestor(other, a.livingChildren(), a.livingBelow());
    }

    Runs over(Runs real, World world) {
        return switch (this) {
            case NO_FENCE ->
                    Planted.over(Runs.class, real, "find", (said, _) -> taken(said, world));
            case FORGOTTEN_END ->
                    Planted.over(Runs.class, real, "find", (said, _) -> alive(said, world));
            default -> real;
        };
    }

    Journal over(Journal real) {
        return switch (this) {
            case LATE_NUMBER -> Planted.over(Journal.class, real, "after", (said, _) -> late(said));
            default -> real;
        };
    }

    Removals over(Removals real) {
        return switch (this) {
            case HALF_ENLISTED ->
                    Planted.instead(
                            Removals.class,
                            real,
                            "enlist",
                            arguments -> (int) arguments[1] > 1 ? 0 : null);
            case NEVER_RELEASED ->
                    Planted.over(Removals.class, real, "release", (_, arguments) -> arguments[1]);
            case NO_UNDO_WINDOW -> {
                var all =
                        Planted.over(
                                Removals.class,
                                real,
                                "due",
                                (_, _) -> real.list(Cursor.first(REMOVALS_MAX)).items());
                yield Planted.over(Removals.class, all, "find", (said, _) -> withoutTime(said));
            }
            default -> real;
        };
    }

    private static Object withoutTime(Object said) {
        if (!(((Optional<?>) said).orElse(null) instanceof Removal r)
                || !(r.state() instanceof RemovalState.Hidden(var since, _))) {
            return said;
        }
        return Optional.of(
                new Removal(
                        r.id(),
                        r.top(),
                        r.choices(),
                        r.order(),
                        r.taken(),
                        r.digest(),
                        new RemovalState.Hidden(since, since),
                        r.times(),
                        r.backup()));
    }

    Audit over(Audit real) {
        return switch (this) {
            case AUDIT_SKIPPED -> Planted.instead(Audit.class, real, "append", _ -> NOTHING);
            case AUDIT_LATE -> {
                var late = new ArrayDeque<Act>();
                yield Planted.instead(
                        Audit.class,
                        real,
                        "append",
                        arguments -> {
                            late.add((Act) arguments[0]);
                            return late.size() == 1 ? NOTHING : real.append(late.remove());
                        });
            }
            default -> real;
        };
    }

    DirectoryTasks over(DirectoryTasks real) {
        return switch (this) {
            case UNPRESERVED ->
                    Planted.over(
                            DirectoryTasks.class,
                            real,
                            "progress",
                            (_, _) -> DirectoryTasks.Progress.OVER);
            case COPY_NOT_RELEASED -> unasked(real, EnumSet.of(DirectoryTask.Kind.RELEASE));
            case DIRECTORY_LEFT ->
                    unasked(
                            real,
                            EnumSet.of(DirectoryTask.Kind.CLEAN_UP, DirectoryTask.Kind.DELETE));
            default -> real;
        };
    }

    private static DirectoryTasks unasked(DirectoryTasks real, Set<DirectoryTask.Kind> kinds) {
        return Planted.instead(
                DirectoryTasks.class,
                real,
                "create",
                asked -> asked[1] instanceof DirectoryTask.Kind k && kinds.contains(k) ? 0 : null);
    }

    Callbacks over(Callbacks real) {
        return switch (this) {
            case SWALLOWED_CALLBACK ->
                    Planted.over(Callbacks.class, real, "carriedBy", (_, _) -> List.of());
            case DELIVERED_TWICE -> {
                var open =
                        Planted.over(
                                Callbacks.class,
                                real,
                                "openOf",
                                (said, arguments) -> again(said, real, (SessionId) arguments[0]));
                yield Planted.over(Callbacks.class, open, "find", (said, _) -> again(said));
            }
            case DUE_CALLBACKS_HIDDEN ->
                    Planted.over(Callbacks.class, real, "waitingSince", (_, _) -> List.of());
            default -> real;
        };
    }

    private static Object again(Object said) {
        if (!(((Optional<?>) said).orElse(null) instanceof Callback c)) return said;
        return c.state() instanceof CallbackState.Delivered ? Optional.of(owed(c)) : said;
    }

    private static Callback owed(Callback c) {
        var owed = new CallbackState.Owed(c.state().since(), c.state().since());
        return new Callback(c.id(), c.to(), c.about(), owed, c.tries(), c.created());
    }

    private static Object again(Object said, Callbacks callbacks, SessionId to) {
        var all = new ArrayList<Object>((List<?>) said);
        var filter = new CallbackFilter(Set.of("delivered"), to, null);
        for (var c : callbacks.list(filter, Cursor.first(1)).items()) {
            all.add(owed(c));
        }
        return List.copyOf(all);
    }

    private static Object stale(Object said) {
        if (!(said instanceof Optional<?> found)
                || !(found.orElse(null) instanceof Session s)
                || s.state() instanceof SessionState.Finished) {
            return said;
        }
        return Optional.of(
                new Session(
                        s.id(),
                        s.name(),
                        s.type(),
                        s.place(),
                        s.profile(),
                        new SessionState.Running(s.times().created()),
                        s.times(),
                        s.limits(),
                        s.standing()));
    }

    private static void move(Sessions sessions, Session child) {
        if (child.place().depth() != 2) return;
        var root = sessions.find(child.place().root()).orElseThrow();
        sessions.attach(root.id(), child.id(), root.limits());
    }

    private static Object taken(Object said, World world) {
        var reporter = world.reporter();
        if (reporter == null || !(((Optional<?>) said).orElse(null) instanceof Run run))
            return said;
        if (!(run.state() instanceof RunState.Running)) return said;
        return Optional.of(in(run, new RunState.Running(lease(reporter), run.state().since())));
    }

    private static Object alive(Object said, World world) {
        var reporter = world.reporter();
        if (reporter == null || !(((Optional<?>) said).orElse(null) instanceof Run run))
            return said;
        if (!(run.state() instanceof RunState.Ended end)) return said;
        return Optional.of(in(run, new RunState.Running(lease(reporter), end.since())));
    }

    private static Lease lease(Holder holder) {
        return new Lease(holder, Instant.MAX);
    }

    private static Run in(Run run, RunState state) {
        return new Run(
                run.id(),
                run.session(),
                run.type(),
                run.mode(),
                run.task(),
                run.demands(),
                state,
                run.marks(),
                run.result());
    }

    private static Object late(Object said) {
        var entries = ((List<?>) said).stream().map(Entry.class::cast).toList();
        if (entries.size() < 2) return entries;
        long newest = entries.getLast().number();
        return entries.stream().filter(e -> e.number() != newest - 1).toList();
    }
}
