package dev.coppice.run;

import dev.coppice.kernel.Demands;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.session.Fences;
import dev.coppice.session.Limits;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Session;
import dev.coppice.session.SessionEvent;
import dev.coppice.session.StartSession;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.RunType;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/** Queues a run that starts a new session or resumes an existing one. */
public final class StartRun {
    private final Ports ports;
    private final StartSession startSession;
    private final MoveRun move;
    private final Duration unmatchedAfter;
    private final Ids ids;

    public StartRun(Ports ports, StartSession startSession, Duration unmatchedAfter, Ids ids) {
        this.ports = ports;
        this.startSession = startSession;
        this.move = new MoveRun(ports);
        this.unmatchedAfter = unmatchedAfter;
        this.ids = ids;
    }

    /** The request for a run: its mode, its task, and its demands on the runner. */
    public record Order(ExecutionMode mode, Task task, Demands demands) {}

    /** A run and its session, both as they are after the command. */
    public record Started(Run run, Session session) {}

    public Outcome<Started> start(NewSession newcomer, Order order) {
        return ports.transactions()
                .write(() -> {
                    // Check the limits first, so that a refusal leaves no session.
                    var tooMany = tooManyRuns(newcomer.parent(), order);
                    if (tooMany.isPresent()) return Outcome.refused(tooMany.get());
                    return startSession
                            .start(newcomer.unlessChosen(onParentEnd(order.mode())))
                            .map(s -> queue(s, RunType.START_SESSION, order));
                });
    }

    /** Only the parent waits for a synchronous child, so the child ends with the parent. */
    private static OnParentEnd onParentEnd(ExecutionMode mode) {
        return mode == ExecutionMode.SYNC ? OnParentEnd.STOP : OnParentEnd.KEEP;
    }

    /** Resumes a session at the request of a caller, which releases the callbacks held for it. */
    public Outcome<Started> resume(SessionId id, ParentReference claim, Order order) {
        return ports.transactions()
                .write(() -> {
                    var full = noRoom(id, order);
                    return full.isPresent()
                            ? Outcome.refused(full.get())
                            : wake(id, claim, order).map(started -> clearQuiet(started));
                });
    }

    private Optional<Refusal> noRoom(SessionId at, Order order) {
        if (ports.sessions().find(at).isEmpty()) return Optional.empty();
        return ports.room().forbidsWork(at, order.task().parameters().value());
    }

    private Started clearQuiet(Started started) {
        if (started.session().standing().quiet() == null) return started;
        var session = started.session().quiet(null);
        ports.sessions().save(session);
        return new Started(started.run(), session);
    }

    /**
     * Resumes a session to deliver callbacks. It stays quiet, and the limits on stored bytes are
     * not checked.
     */
    public Outcome<Started> wake(SessionId id, ParentReference claim, Order order) {
        return ports.transactions()
                .write(() -> {
                    var session = ports.sessions().find(id);
                    return session.isEmpty()
                            ? Outcome.refused(new SessionRefusal.SessionUnknown(id.value()))
                            : resume(session.get(), claim, order);
                });
    }

    private Outcome<Started> resume(Session session, ParentReference claim, Order order) {
        var moving = forbidsMove(session, claim);
        if (moving.isPresent()) return Outcome.refused(moving.get());
        var fenced = Fences.at(ports.sessions(), session.id());
        if (fenced.isPresent()) return Outcome.refused(fenced.get());
        var busy = ports.runs().liveOf(session.id());
        if (busy.isPresent()) {
            return Outcome.refused(new SessionRefusal.SessionBusy(session.id(), busy.get().id()));
        }
        var crowded = session.state().isAlive() ? null : startSession.noRoomFor(session);
        if (crowded != null) return Outcome.refused(crowded);
        var spent = ports.budgetCheck().forbids(ports, session.id(), Ports.BudgetCheck.NewWork.RUN);
        if (spent.isPresent()) return Outcome.refused(spent.get());
        var waits = order.mode() == ExecutionMode.SYNC ? session.place().parentId() : null;
        var tooMany = tooManyRuns(session.id(), waits);
        if (tooMany.isPresent()) return Outcome.refused(tooMany.get());
        return session.on(new SessionEvent.RunQueued(ports.clock().instant()))
                .map(_ -> {
                    move.moveSession(session, new SessionEvent.RunQueued(ports.clock().instant()));
                    return queue(session, RunType.RESUME_SESSION, order);
                });
    }

    /** Refuses a claim of another parent: a session keeps its parent. */
    private Optional<Refusal> forbidsMove(Session session, ParentReference claim) {
        if (!claim.isMade()) return Optional.empty();
        var parent = claim.in(ports.sessions());
        if (parent.isEmpty()) return Optional.of(new SessionRefusal.ParentUnknown(claim.asSaid()));
        var wanted = parent.get().id();
        var has = session.place().parentId();
        if (wanted.equals(has)) return Optional.empty();
        if (wanted.equals(session.id()))
            return Optional.of(new SessionRefusal.ParentIsItself(wanted));
        if (ports.sessions().isWithin(wanted, session.id())) {
            return Optional.of(new SessionRefusal.ParentMakesCycle(session.id(), wanted));
        }
        return Optional.of(new SessionRefusal.ParentIsFixed(session.id(), has, wanted));
    }

    private Optional<Refusal> tooManyRuns(ParentReference claim, Order order) {
        var parent = claim.in(ports.sessions());
        // StartSession refuses an unknown parent.
        if (parent.isEmpty()) return Optional.empty();
        var spent =
                ports.budgetCheck()
                        .forbids(ports, parent.get().id(), Ports.BudgetCheck.NewWork.SESSION);
        if (spent.isPresent()) return spent;
        var full = noRoom(parent.get().id(), order);
        if (full.isPresent()) return full;
        var waits = order.mode() == ExecutionMode.SYNC ? parent.get().id() : null;
        return tooManyRuns(parent.get().id(), waits);
    }

    /**
     * {@code waits} is the session that is about to wait for this run. Its own run does not count;
     * otherwise a tree with a limit of one run could never wait for a child.
     */
    private Optional<Refusal> tooManyRuns(SessionId at, @Nullable SessionId waits) {
        var above = ports.sessions().ancestry(at);
        var now = ports.clock().instant();
        for (var a : above) {
            var max = a.session().limits().of(Limits.Kind.RUNS);
            if (max == null) continue;
            int wanted = ports.runs().countBusy(a.session().id(), waits, now) + 1;
            if (wanted > max) return Optional.of(a.session().reached(Limits.Kind.RUNS, wanted));
        }
        var max = ports.room().defaults().of(Limits.Kind.RUNS);
        var root = above.getLast().session();
        if (max == null || root.limits().of(Limits.Kind.RUNS) != null) return Optional.empty();
        int wanted = ports.runs().countBusy(root.id(), waits, now) + 1;
        return wanted > max
                ? Optional.of(
                        new RequestRefusal.LimitReached(
                                Limits.Kind.RUNS.word(),
                                max,
                                wanted,
                                RequestRefusal.LimitReached.COORDINATOR))
                : Optional.empty();
    }

    private Started queue(Session session, RunType type, Order order) {
        var now = ports.clock().instant();
        // A hook gets no hook of its own: the chain would never end.
        boolean isHooked =
                order.task().terms().hooks().areBefore()
                        && !ports.hookedRuns().isHook(session.id());
        var run =
                new Run(
                        RunId.made(ids),
                        session.id(),
                        type,
                        order.mode(),
                        order.task(),
                        order.demands(),
                        isHooked ? new RunState.Hooked(now) : new RunState.Queued(now),
                        new Run.Marks(now, null, null, null, now.plus(unmatchedAfter)),
                        Result.NOTHING);
        ports.runs().add(run);
        if (session.standing().frozen() != null) {
            ports.runs().setAside(session.id(), session.id());
        }
        ports.signals().raise(isHooked ? new Topic.HookDue() : new Topic.RunQueued(run.demands()));
        return new Started(run, ports.sessions().find(session.id()).orElse(session));
    }
}
