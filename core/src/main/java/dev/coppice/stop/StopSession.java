package dev.coppice.stop;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.run.RunEvent;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.session.SessionEvent;
import dev.coppice.session.SessionState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * Stops one session by stopping its live run. If there is no runner to ask, the stop is done at
 * once. A repeated request joins the stop under way.
 */
public final class StopSession {
    private final Ports ports;
    private final MoveRun move;

    public StopSession(Ports ports) {
        this.ports = ports;
        this.move = new MoveRun(ports);
    }

    /** The session after the command, and the run that is being stopped, if any. */
    public record Stop(Session session, @Nullable Run run) {}

    public Outcome<Stop> stop(SessionId id, Duration deadline, String reason) {
        return ports.transactions()
                .write(() -> {
                    var session = ports.sessions().find(id);
                    if (session.isEmpty()) {
                        return Outcome.refused(new SessionRefusal.SessionUnknown(id.value()));
                    }
                    var quiet = session.get().quiet(ports.clock().instant());
                    ports.sessions().save(quiet);
                    ports.listener().stopAsked(ports, quiet);
                    var outside = ports.outside().of(id).filter(OutsideProcess::mayStop);
                    if (outside.isEmpty()) return stop(quiet, deadline, reason);
                    endProcess(outside.get(), deadline);
                    return ports.runs().liveOf(id).isPresent()
                            ? stop(quiet, deadline, reason)
                            : Outcome.done(awaitingProcess(quiet, deadline, reason));
                });
    }

    /** Stops the live run without making the session quiet, so that it can take other work. */
    public Outcome<Stop> interrupt(Session session, Duration deadline, String reason) {
        return stop(session, deadline, reason);
    }

    /** Stops an idle session: its program is still on the runner that held the last run. */
    private Outcome<Stop> askProgram(Session session, Instant deadline, String reason) {
        var last = ports.runs().latestOf(session.id());
        var by =
                last.isPresent() && last.get().state() instanceof RunState.Ended end
                        ? end.by()
                        : null;
        var now = ports.clock().instant();
        if (by == null) {
            var ended = move.moveSession(session, new SessionEvent.StopConfirmed(now, reason));
            return Outcome.done(new Stop(ended.orElse(session), null));
        }
        var asked = move.moveSession(session, new SessionEvent.StopAsked(now, deadline, reason));
        ports.signals().raise(new Topic.StopWanted(by.runner()));
        return Outcome.done(new Stop(asked.orElse(session), null));
    }

    /** Records that an idle session's program has ended; {@code how} is a word of the runner. */
    public Outcome<Stop> programEnded(SessionId id, String how) {
        return programEnded(id, how, "its program ended: " + how);
    }

    /** Records that the program of a session without a live run has ended, and why. */
    public Outcome<Stop> programEnded(SessionId id, String how, String why) {
        return ports.transactions()
                .write(() -> {
                    var session = ports.sessions().find(id);
                    if (session.isEmpty()) {
                        return Outcome.refused(new SessionRefusal.SessionUnknown(id.value()));
                    }
                    var live = ports.runs().liveOf(id);
                    // A live run ends by its own report, which has more detail.
                    if (live.isPresent() || !session.get().state().isAlive()) {
                        return Outcome.done(new Stop(session.get(), live.orElse(null)));
                    }
                    var moved = move.moveSession(session.get(), ending(how, why));
                    return Outcome.done(new Stop(moved.orElse(session.get()), null));
                });
    }

    private SessionEvent ending(String how, String reason) {
        var now = ports.clock().instant();
        return switch (how) {
            case "finished" -> new SessionEvent.Completed(now, reason);
            case "failed" -> new SessionEvent.Broke(now, reason);
            default -> new SessionEvent.StopConfirmed(now, reason);
        };
    }

    /** Sets the deadline for a runner on the host, which ends the process and reports its end. */
    private void endProcess(OutsideProcess process, Duration deadline) {
        var now = ports.clock().instant();
        var before = process.endBy();
        boolean isUnderWay = before != null && before.isAfter(now);
        if (!isUnderWay) ports.outside().save(process.endBy(now.plus(deadline)));
    }

    private Stop awaitingProcess(Session session, Duration deadline, String reason) {
        var now = ports.clock().instant();
        var until = now.plus(deadline);
        var asked = move.moveSession(session, new SessionEvent.StopAsked(now, until, reason));
        return new Stop(asked.orElse(session), null);
    }

    private Outcome<Stop> stop(Session session, Duration deadline, String reason) {
        var now = ports.clock().instant();
        var live = ports.runs().liveOf(session.id());
        if (live.isPresent()) {
            var run = live.get();
            if (run.state() instanceof RunState.Stopping)
                return Outcome.done(new Stop(session, run));
            return move.move(run, new RunEvent.StopAsked(now, now.plus(deadline), reason))
                    .map(moved ->
                            new Stop(ports.sessions().find(session.id()).orElse(session), moved));
        }
        return switch (session.state()) {
            case SessionState.Ended _ -> Outcome.done(new Stop(session, null));
            case SessionState.Stopping _ -> Outcome.done(new Stop(session, null));
            case SessionState.Idle _ -> askProgram(session, now.plus(deadline), reason);
            case SessionState.Pending _, SessionState.Running _ ->
                    Outcome.done(
                            new Stop(
                                    move.moveSession(
                                                    session,
                                                    new SessionEvent.StopConfirmed(now, reason))
                                            .orElse(session),
                                    null));
        };
    }
}
