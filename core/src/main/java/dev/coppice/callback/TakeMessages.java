package dev.coppice.callback;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Gives a live run the messages that it may hear within its turn. It carries them as a run carries
 * those that woke it: they are delivered if it finishes, and owed again if it does not.
 */
public final class TakeMessages {
    private static final int TAKEN_MAX = 20;
    private final Ports ports;
    private final CallbackPorts own;

    public TakeMessages(Ports ports, CallbackPorts own) {
        this.ports = ports;
        this.own = own;
    }

    /** The messages that a run wants. */
    public enum Which {
        /** Those that were sent to be heard within a turn. */
        STEERING,
        /** All messages: the agent waits for an answer. */
        ALL
    }

    /** True if the run has messages to take that it has not seen. */
    public boolean hasSome(RunId id, Which which, Set<String> seen) {
        return ports.transactions()
                .read(() ->
                        ports.runs()
                                .find(id)
                                .map(run -> !waiting(run, which).isEmpty() || unseen(run, seen))
                                .orElse(false));
    }

    private boolean unseen(Run run, Set<String> seen) {
        return !taken(run, seen).isEmpty();
    }

    /** Gives back messages that the program has not heard. */
    public void giveBack(RunId run, Set<String> unheard) {
        if (unheard.isEmpty()) return;
        ports.transactions()
                .write(() -> {
                    var now = ports.clock().instant();
                    own.callbacks().carriedBy(run).stream()
                            .filter(c -> unheard.contains(c.id().value()))
                            .forEach(c -> own.move(c, new CallbackEvent.CarrierBroke(now, now)));
                    return null;
                });
    }

    /** Takes messages; those that were taken before and are not seen come again. */
    public Outcome<List<Callback>> take(RunId id, Which which, Set<String> seen) {
        return ports.transactions()
                .write(() -> {
                    var found = ports.runs().find(id);
                    if (found.isEmpty()) {
                        return Outcome.refused(new RunRefusal.RunUnknown(id.value()));
                    }
                    var run = found.get();
                    if (run.state() instanceof RunState.Running) {
                        var now = ports.clock().instant();
                        waiting(run, which).stream()
                                .limit(TAKEN_MAX)
                                .forEach(c -> own.move(c, new CallbackEvent.Sent(now, run.id())));
                    }
                    return Outcome.done(taken(run, seen));
                });
    }

    /** What was carried before, and came back, is delivered by a prompt. */
    private List<Callback> waiting(Run run, Which which) {
        return messages(
                        own.callbacks().openOf(run.session(), OweCallbacks.OPEN_MAX),
                        c -> c.state() instanceof CallbackState.Owed && c.tries() == 0)
                .filter(c -> which == Which.ALL || isSteering(c))
                .toList();
    }

    /** What a run carried when it began is in its prompt. */
    private List<Callback> taken(Run run, Set<String> seen) {
        Instant began = run.marks().started();
        if (began == null) return List.of();
        return messages(
                        own.callbacks().carriedBy(run.id()),
                        c -> !c.state().since().isBefore(began))
                .filter(c -> !seen.contains(c.id().value()))
                .toList();
    }

    private static Stream<Callback> messages(List<Callback> all, Predicate<Callback> wanted) {
        return all.stream()
                .filter(c ->
                        c.about() instanceof About.Message(_, _, _, var notice) && notice == null)
                .filter(wanted);
    }

    private static boolean isSteering(Callback callback) {
        return callback.about() instanceof About.Message(_, _, var whenBusy, _)
                && whenBusy == About.WhenBusy.STEER;
    }
}
