package dev.coppice.fleet;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.outside.OutsideProcess.Consent;
import dev.coppice.outside.OutsideProcesses;
import dev.coppice.run.Ports;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.stop.StopSession;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Watches the processes of programs that Coppice did not start, through the runners of their hosts.
 * A session whose process is gone has ended, although its program said nothing. Every method joins
 * the current transaction.
 */
public final class WatchProcesses {
    /** The most processes that are watched on one host. */
    public static final int ON_HOST_MAX = 1_000;

    private final Ports ports;
    private final LookAfter lookAfter;
    private final StopSession stop;

    public WatchProcesses(Ports ports, LookAfter lookAfter) {
        this.ports = ports;
        this.lookAfter = lookAfter;
        this.stop = new StopSession(ports);
    }

    /** What a runner found: the start of a live process; null if there is no such process. */
    public record Found(SessionId session, long pid, @Nullable Instant started) {}

    /**
     * The program of a session named its own process. Only a person can consent to its stop. False
     * if nobody can watch it now.
     */
    public boolean noticed(SessionId session, String host, long pid, String program) {
        var known = processes().with(host, pid);
        if (known.isPresent() && known.get().session().equals(session)) return true;
        if (!lookAfter.hasRunner(host) || ports.sessions().find(session).isEmpty()) return false;
        // A program that begins a new conversation is the same process.
        var now =
                known.map(process -> of(session, process))
                        .orElseGet(() ->
                                new OutsideProcess(
                                        session,
                                        host,
                                        pid,
                                        null,
                                        program,
                                        Consent.WATCH,
                                        null,
                                        null));
        save(now);
        return true;
    }

    private static OutsideProcess of(SessionId session, OutsideProcess known) {
        return new OutsideProcess(
                session,
                known.host(),
                known.pid(),
                known.started(),
                known.program(),
                known.consent(),
                known.seen(),
                null);
    }

    /** A person names the process of a session, and says what may be done with it. */
    public OutsideProcess adopt(OutsideProcess process) {
        var known = processes().of(process.session());
        boolean isSame = known.isPresent() && known.get().pid() == process.pid();
        var now = isSame ? known.get().allowed(process.consent()) : process;
        save(now);
        return now;
    }

    private void save(OutsideProcess process) {
        if (processes().on(process.host(), ON_HOST_MAX).size() < ON_HOST_MAX) {
            processes().save(process);
        }
    }

    /** Takes what a runner of a host found. A process that nobody ever saw was none of its. */
    public void found(String host, List<Found> all) {
        for (var one : all) {
            var known = processes().of(one.session());
            if (known.isEmpty()
                    || known.get().pid() != one.pid()
                    || !known.get().host().equals(host)) continue;
            var process = known.get();
            var started = one.started();
            if (started != null) {
                if (process.seen() == null) {
                    processes().save(process.seen(ports.clock().instant(), started));
                }
                continue;
            }
            processes().delete(process.session());
            if (process.seen() != null) gone(process);
        }
    }

    /** The agents inside of the program have ended with it. */
    private void gone(OutsideProcess process) {
        var session = ports.sessions().find(process.session());
        if (session.isEmpty()) return;
        boolean wasStopped = session.get().state() instanceof SessionState.Stopping;
        var how = wasStopped ? "stopped" : "finished";
        var why = "its process %d on %s has ended".formatted(process.pid(), process.host());
        for (var agent : inside(process.session()).reversed()) {
            stop.programEnded(agent.id(), how, why);
        }
        stop.programEnded(process.session(), how, why);
    }

    private List<Session> inside(SessionId main) {
        var found = new ArrayList<Session>();
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = ports.sessions().descendants(main, Bounds.TREE_DEPTH_MAX, cursor);
            for (var session : page.items()) {
                boolean isInside = session.id().value().startsWith(main.value() + ":");
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
