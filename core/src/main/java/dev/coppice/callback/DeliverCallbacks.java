package dev.coppice.callback;

import dev.coppice.kernel.Demands;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.StartRun;
import dev.coppice.run.Task;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.word.ExecutionMode;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Wakes sessions. One run carries the due callbacks of a session, and is queued in the transaction
 * that marks them as carried.
 */
public final class DeliverCallbacks {
    private static final System.Logger LOG = System.getLogger("callback");

    /** Limit of the messages in one prompt; the rest goes into the next prompt. */
    private static final int MESSAGE_CHARS_MAX = 1_000_000;

    private static final int SESSIONS_PER_SWEEP_MAX = 100;

    /** The wait if a limit leaves no room to wake a session now. */
    private static final Duration NO_ROOM = Duration.ofSeconds(2);

    /** The longest wait between two checks whether a removal has been decided. */
    private static final Duration DECIDED_MAX = Duration.ofMinutes(5);

    private final Ports ports;
    private final CallbackPorts own;
    private final StartRun start;
    private final Prompting prompting;
    private final Wording wording;

    public DeliverCallbacks(Ports ports, CallbackPorts own, StartRun start, Prompting prompting) {
        this.ports = ports;
        this.own = own;
        this.start = start;
        this.prompting = prompting;
        this.wording = new Wording(prompting);
    }

    /** Delivers what is due; returns the number of sessions for which something was done. */
    public int deliverDue() {
        var now = ports.clock().instant();
        var waiting =
                ports.transactions()
                        .read(() -> own.callbacks().waitingSince(now, SESSIONS_PER_SWEEP_MAX));
        int done = 0;
        for (var session : waiting) {
            try {
                if (deliver(session)) done++;
            } catch (RuntimeException e) {
                // A failure for one session must not hold up the next.
                LOG.log(System.Logger.Level.WARNING, "could not wake " + session, e);
            }
        }
        return done;
    }

    /** Gives up callbacks held too long for sessions that are not resumed; returns how many. */
    public int giveUpHeld() {
        return ports.transactions()
                .write(() -> {
                    var now = ports.clock().instant();
                    var since = now.minus(own.terms().heldAtMost());
                    var due = own.callbacks().heldSince(since, SESSIONS_PER_SWEEP_MAX);
                    var reason = "its session was not resumed within " + own.terms().heldAtMost();
                    for (var c : due) own.move(c, new CallbackEvent.GivenUp(now, reason));
                    return due.size();
                });
    }

    boolean deliver(SessionId id) {
        return ports.transactions()
                .write(() -> {
                    var now = ports.clock().instant();
                    var due =
                            own.callbacks().openOf(id, OweCallbacks.OPEN_MAX).stream()
                                    .filter(c -> c.isDue(now))
                                    .toList();
                    var told = upTo(MESSAGE_CHARS_MAX, due);
                    if (due.isEmpty()) return false;
                    var session = ports.sessions().find(id);
                    if (session.isEmpty()) return all(due, gone(now));
                    // The end of the live run triggers the next delivery.
                    if (ports.runs().liveOf(id).isPresent()) return false;
                    if (session.get().standing().removal() == null) {
                        var early = due.stream().filter(this::isTooEarly).toList();
                        if (!early.isEmpty()) return putOff(early, now);
                    }
                    return deliver(session.get(), told, now);
                });
    }

    /**
     * True if an undecided removal may have stopped the child: the parent learns afterwards whether
     * the child goes or stays. The decision triggers the delivery; the retries are a fallback.
     */
    private boolean isTooEarly(Callback callback) {
        if (!(callback.about() instanceof About.ChildEnd(var child, var run))) return false;
        var session = ports.sessions().find(child);
        if (session.isEmpty() || session.get().standing().removal() == null) return false;
        return look(run).filter(r -> !(r.state() instanceof RunState.Finished)).isPresent();
    }

    private boolean putOff(List<Callback> early, Instant now) {
        for (var callback : early) {
            var age = Duration.between(callback.created(), now);
            var wait = age.compareTo(NO_ROOM) < 0 ? NO_ROOM : age;
            var due = now.plus(wait.compareTo(DECIDED_MAX) > 0 ? DECIDED_MAX : wait);
            own.move(callback, new CallbackEvent.PutOff(now, due));
        }
        return true;
    }

    private static List<Callback> upTo(int charsMax, List<Callback> due) {
        var taken = new ArrayList<Callback>();
        int chars = 0;
        for (var callback : due) {
            if (callback.about() instanceof About.Message(var text, _, _, _)) {
                chars += text.length();
                if (chars > charsMax && !taken.isEmpty()) break;
            }
            taken.add(callback);
        }
        return List.copyOf(taken);
    }

    private static CallbackEvent gone(Instant now) {
        return new CallbackEvent.GivenUp(now, "its session is gone");
    }

    private boolean deliver(Session session, List<Callback> due, Instant now) {
        boolean interrupts = due.stream().anyMatch(Callback::interrupts);
        if (session.standing().quiet() != null && !interrupts) {
            return all(due, held(now, "the session was stopped"));
        }
        return switch (session.state()) {
            case SessionState.Idle _,
                    SessionState.Finished _,
                    SessionState.Failed _,
                    SessionState.TimedOut _,
                    SessionState.Lost _ ->
                    wake(session, due, now);
            case SessionState.Stopped _ ->
                    interrupts
                            ? wake(session, due, now)
                            : all(due, held(now, "the session was stopped"));
            // No runner runs this session: it was created without a run, or reports its own events.
            case SessionState.Pending _, SessionState.Running _, SessionState.Stopping _ ->
                    all(due, held(now, "the session has no run to resume"));
        };
    }

    private static CallbackEvent held(Instant now, String reason) {
        return new CallbackEvent.HeldBack(now, reason);
    }

    private boolean all(List<Callback> callbacks, CallbackEvent event) {
        for (var callback : callbacks) own.move(callback, event);
        return true;
    }

    private boolean wake(Session session, List<Callback> due, Instant now) {
        var last = ports.runs().latestOf(session.id());
        if (last.isEmpty()) return all(due, held(now, "the session has no run to resume"));
        var woken = start.wake(session.id(), ParentReference.NONE, order(session, last.get(), due));
        return switch (woken) {
            case Outcome.Done<StartRun.Started>(var started) ->
                    all(due, new CallbackEvent.Sent(now, started.run().id()));
            case Outcome.Refused<StartRun.Started> _ -> {
                all(due, new CallbackEvent.PutOff(now, now.plus(NO_ROOM)));
                yield false;
            }
        };
    }

    /** Resumes the session with the task of its last run, in the same place. */
    private StartRun.Order order(Session session, Run last, List<Callback> due) {
        var before = last.task();
        var task =
                new Task(
                        before.blueprint(),
                        before.definition(),
                        prompting.withPrompt(before.parameters(), text(due)),
                        before.scope(),
                        session.profile().projectDir(),
                        before.terms());
        var binding = session.profile().binding();
        var affinity =
                new Demands(binding.hostname(), null, binding.executorProfile(), null, Set.of());
        return new StartRun.Order(mode(last), task, affinity.and(last.demands()));
    }

    /** An async_callback session stays one: its parent must not wait for this run. */
    private static ExecutionMode mode(Run last) {
        return last.mode() == ExecutionMode.ASYNC_CALLBACK
                ? ExecutionMode.ASYNC_CALLBACK
                : ExecutionMode.SYNC;
    }

    private String text(List<Callback> due) {
        var children = new ArrayList<Wording.Child>();
        var parts = new ArrayList<String>();
        for (var callback : due) {
            switch (callback.about()) {
                case About.ChildEnd(var child, var run) ->
                        children.add(
                                new Wording.Child(child, look(run).orElse(null), again(callback)));
                case About.Message(var text, _, _, _) ->
                        parts.add(Wording.said(text, again(callback)));
                case About.JoinOver(var join) ->
                        own.joins()
                                .find(join)
                                .map(j -> together(j, again(callback)))
                                .ifPresent(parts::add);
            }
        }
        if (!children.isEmpty()) parts.add(wording.children(children));
        return String.join("\n\n", parts);
    }

    private Optional<Run> look(RunId run) {
        return ports.runs().find(run);
    }

    private String together(Join join, Wording.@Nullable Again again) {
        var members =
                join.members().stream()
                        .map(m -> new Wording.Child(m.child(), look(m.run()).orElse(null), null))
                        .toList();
        return wording.together(new Wording.Together(join, members, again));
    }

    private static Wording.@Nullable Again again(Callback callback) {
        return callback.tries() == 0
                ? null
                : new Wording.Again(callback.id(), callback.tries() + 1);
    }
}
