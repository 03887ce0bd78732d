package dev.coppice.run;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Topic;
import dev.coppice.session.Session;
import dev.coppice.session.SessionEvent;
import dev.coppice.session.SessionJournal;

import java.util.Optional;

/**
 * Changes the state of a run and of its session. Every end of a run (reported, stopped, timed out,
 * runner gone) passes through here, so that the run, the session, the journal and the consequences
 * change in one transaction.
 */
public final class MoveRun {
    private final Ports ports;
    private final RunJournal runJournal;
    private final SessionJournal sessionJournal;

    public MoveRun(Ports ports) {
        this.ports = ports;
        this.runJournal = new RunJournal(ports.journal());
        this.sessionJournal = new SessionJournal(ports.journal(), ports.clock());
    }

    /** The state of a session whose run has completed. */
    public enum After {
        FINISHED,
        IDLE
    }

    public Outcome<Run> move(Run run, RunEvent event) {
        return move(run, event, After.FINISHED);
    }

    public Outcome<Run> move(Run run, RunEvent event, After after) {
        return run.on(event).map(moved -> keep(run, moved, after));
    }

    private Run keep(Run before, Run moved, After after) {
        ports.runs().save(moved);
        switch (moved.state()) {
            case RunState.Queued _ -> ports.signals().raise(new Topic.RunQueued(moved.demands()));
            case RunState.Hooked _, RunState.Claimed _ -> {}
            case RunState.Running(_, var at) -> {
                if (before.state() instanceof RunState.Claimed) {
                    runJournal.started(moved, at);
                    moveSession(moved, new SessionEvent.RunBegan(at));
                }
            }
            case RunState.Stopping(var lease, var at, var deadline, var reason) -> {
                if (!(before.state() instanceof RunState.Stopping)) {
                    moveSession(moved, new SessionEvent.StopAsked(at, deadline, reason));
                    ports.signals().raise(new Topic.StopWanted(lease.holder().runner()));
                }
            }
            case RunState.Ended end -> ended(moved, end, after);
        }
        return moved;
    }

    private void ended(Run run, RunState.Ended end, After after) {
        moveSession(run, ending(end, after));
        runJournal.ended(run, end);
        ports.runs().setWaiting(run.id(), null);
        ports.signals().raise(new Topic.RunOver(run.id()));
        ports.signals().raise(new Topic.WaveDue());
        follow(run);
        var by = end.by();
        if (by != null) ports.signals().raise(new Topic.RunnerHasRoom(by.runner()));
        ports.listener().runEnded(ports, run);
    }

    /** A hook may follow this run, or this run may be a hook. */
    private void follow(Run run) {
        boolean isFollowed =
                run.state() instanceof RunState.Finished && run.task().terms().hooks().areAfter();
        boolean isHook = ports.hookedRuns().isHook(run.session());
        if (isFollowed && !isHook) ports.hookedRuns().oweFollower(run.id());
        if (isFollowed || isHook) ports.signals().raise(new Topic.HookDue());
    }

    private static SessionEvent ending(RunState.Ended end, After after) {
        return switch (end) {
            case RunState.Finished(var at, var reason, _) ->
                    after == After.IDLE
                            ? new SessionEvent.TurnEnded(at)
                            : new SessionEvent.Completed(at, reason);
            case RunState.Failed(var at, var reason, _) -> new SessionEvent.Broke(at, reason);
            case RunState.Stopped(var at, var reason, _) ->
                    new SessionEvent.StopConfirmed(at, reason);
            case RunState.TimedOut(var at, var reason, _) ->
                    new SessionEvent.RanOutOfTime(at, reason);
            case RunState.Lost(var at, var reason, _) ->
                    new SessionEvent.RunnerVanished(at, reason);
        };
    }

    private void moveSession(Run run, SessionEvent event) {
        var session = ports.sessions().find(run.session());
        session.ifPresent(s -> moveSession(s, event));
    }

    /** Returns empty if the session's state forbids the event; the run's own end stands. */
    public Optional<Session> moveSession(Session session, SessionEvent event) {
        return switch (session.on(event)) {
            case Outcome.Done<Session>(var moved) -> {
                ports.sessions().save(moved);
                sessionJournal.updated(moved);
                if (!moved.state().isAlive()) ports.listener().sessionEnded(ports, moved);
                yield Optional.of(moved);
            }
            case Outcome.Refused<Session> _ -> Optional.empty();
        };
    }
}
