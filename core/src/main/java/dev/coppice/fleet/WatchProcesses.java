package dev.coppice.fleet;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.outside.OutsideProcess.Consent;
import dev.coppice.outside.OutsideProcesses;
import dev.coppice.run.Ports;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.stop.StopSession;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Watches the processes of programs that Coppice did not start, through the runners of their hosts.
 * A session whose process is gone ends, even if its program reported nothing. A process that a hook
 * names is a claim: it overrides no decision of a person, no process that a runner confirmed and no
 * process of another live session, and it ends nothing until a runner confirms it. Every method
 * joins the current transaction.
 */
public final class WatchProcesses {
    /** The most processes that are watched on one host. */
    public static final int ON_HOST_MAX = 1_000;

    /** A runner that comes back later ends nothing: the person may have gone on. */
    private static final Duration STOP_EXPIRES = Duration.ofMinutes(1);

    private final Ports ports;
    private final LookAfter lookAfter;
    private final StopSession stop;

    public WatchProcesses(Ports ports, LookAfter lookAfter) {
        this.ports = ports;
        this.lookAfter = lookAfter;
        this.stop = new StopSession(ports);
    }

    /** The finding of a runner: the start of the process; null if there is no such process. */
    public record Found(SessionId session, long pid, @Nullable String start) {}

    /**
     * Records the process that a hook of the session's program named. False if it cannot be watched
     * now, but perhaps later. A prompt to the process ends a person's stop, so no claim replaces a
     * process that a runner confirmed and still finds, and none is accepted during a stop.
     */
    public boolean claimed(SessionId session, String host, long pid, String program) {
        if (!lookAfter.hasRunner(host)) return false;
        var named = ports.sessions().find(session).filter(this::isOutside);
        if (named.isEmpty()) return true;
        var own = processes().of(session);
        boolean isKnown = own.isPresent() && (own.get().pid() == pid || own.get().isDecided());
        if (isKnown || isOfAnother(session, host, pid)) return true;
        boolean isConfirmed = own.isPresent() && own.get().start() != null;
        if (isConfirmed || named.get().standing().quiet() != null) return false;
        if (own.isEmpty() && processes().count(host) >= ON_HOST_MAX) return false;
        processes()
                .save(new OutsideProcess(session, host, pid, null, program, Consent.WATCH, null));
        return true;
    }

    private boolean isOfAnother(SessionId session, String host, long pid) {
        return processes()
                .with(host, pid)
                .filter(process -> !process.session().equals(session))
                .flatMap(process -> ports.sessions().find(process.session()))
                .filter(other -> other.state().isAlive())
                .isPresent();
    }

    private boolean isOutside(Session session) {
        return Profile.OBSERVED.equals(session.profile().binding().executorProfile())
                && ports.runs().latestOf(session.id()).isEmpty();
    }

    /** Records the process that a person named for a session, and the consent of the person. */
    public Outcome<OutsideProcess> adopt(OutsideProcess process) {
        if (isOfAnother(process.session(), process.host(), process.pid())) {
            return Outcome.refused(
                    new SessionRefusal.StateForbids(
                            "Process " + process.pid(),
                            "that of another live session",
                            "its adoption"));
        }
        boolean isNew =
                processes().of(process.session()).isEmpty()
                        && processes().with(process.host(), process.pid()).isEmpty();
        if (isNew && processes().count(process.host()) >= ON_HOST_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooMany("watched processes of one host", ON_HOST_MAX));
        }
        processes().save(process);
        return Outcome.done(process);
    }

    /** Returns the time that is left to end the process; null if it must not be ended. */
    public @Nullable Duration endsWithin(OutsideProcess process) {
        var deadline = process.endBy();
        if (deadline == null || !process.mayStop()) return null;
        var left = Duration.between(ports.clock().instant(), deadline);
        if (left.compareTo(STOP_EXPIRES.negated()) < 0) return null;
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Records what a runner of a host found. A claim that it does not confirm is dropped. */
    public void found(String host, List<Found> all) {
        for (var one : all) {
            var known = processes().of(one.session());
            if (known.isEmpty()
                    || known.get().pid() != one.pid()
                    || !known.get().host().equals(host)) continue;
            var process = known.get();
            var start = one.start();
            if (start == null) {
                processes().delete(process.session());
                if (process.start() != null) gone(process);
            } else if (process.start() == null) {
                processes().save(process.confirmed(start));
            }
        }
    }

    /** Ends the session of a process that is gone, and the agents inside of the program. */
    private void gone(OutsideProcess process) {
        var session = ports.sessions().find(process.session());
        if (session.isEmpty() || !ports.runs().latestOf(process.session()).isEmpty()) return;
        boolean wasStopped = session.get().state() instanceof SessionState.Stopping;
        var how = wasStopped ? "stopped" : "finished";
        var why = "its process %d on %s has ended".formatted(process.pid(), process.host());
        for (var agent : inside(process.session()).reversed()) {
            stop.programEnded(agent.id(), how, why);
        }
        stop.programEnded(process.session(), how, why);
    }

    /** Returns the live agents below a session that have no process of their own, parents first. */
    private List<Session> inside(SessionId main) {
        var within = new HashSet<>(Set.of(main));
        var found = new ArrayList<Session>();
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = ports.sessions().descendants(main, Bounds.TREE_DEPTH_MAX, cursor);
            for (var session : page.items()) {
                boolean isInside =
                        within.contains(session.place().parentId())
                                && isOutside(session)
                                && processes().of(session.id()).isEmpty();
                if (isInside) within.add(session.id());
                if (isInside && session.state().isAlive()) found.add(session);
            }
            if (page.next() == null) return found;
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
    }

    private OutsideProcesses processes() {
        return ports.outside();
    }
}
