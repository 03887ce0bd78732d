package dev.coppice.callback;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.word.WhenBusy;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Gives a live run the messages that it may hear within its turn. The run carries them until its
 * program has heard them; a message that is not heard when the run ends is owed again.
 */
public final class TakeMessages {
    private static final int TAKEN_MAX = 20;
    private final Ports ports;
    private final CallbackPorts own;

    public TakeMessages(Ports ports, CallbackPorts own) {
        this.ports = ports;
        this.own = own;
    }

    /**
     * The messages that a run wants: those that are sent to steer and, if its agent waits for an
     * answer, those that people have sent since it asked. No other agent may answer.
     */
    public record Wanted(@Nullable Instant answersSince, Set<String> seen) {
        public Wanted {
            seen = Set.copyOf(seen);
        }

        private boolean wants(Callback callback) {
            if (!(callback.about() instanceof About.Message(_, var from, var whenBusy, _))) {
                return false;
            }
            boolean isAnswer =
                    from == null
                            && answersSince != null
                            && !callback.created().isBefore(answersSince);
            return isAnswer || whenBusy == WhenBusy.STEER;
        }
    }

    /** True if the run has messages to take that it has not seen. */
    public boolean hasSome(RunId id, Wanted wanted) {
        return ports.transactions()
                .read(() ->
                        ports.runs()
                                .find(id)
                                .map(run ->
                                        !waiting(run, wanted).isEmpty()
                                                || !taken(run, wanted).isEmpty())
                                .orElse(false));
    }

    /** Records that the program has heard these messages. */
    public void heard(RunId run, Set<String> heard) {
        if (heard.isEmpty()) return;
        ports.transactions()
                .write(() -> {
                    var now = ports.clock().instant();
                    own.callbacks().carriedBy(run).stream()
                            .filter(c -> heard.contains(c.id().value()))
                            .forEach(c -> own.move(c, new CallbackEvent.CarrierFinished(now)));
                    return null;
                });
    }

    /** Takes messages; also returns those that were taken before and that the run has not seen. */
    public Outcome<List<Callback>> take(RunId id, Wanted wanted) {
        return ports.transactions()
                .write(() -> {
                    var found = ports.runs().find(id);
                    if (found.isEmpty()) {
                        return Outcome.refused(new RunRefusal.RunUnknown(id.value()));
                    }
                    var run = found.get();
                    if (run.state() instanceof RunState.Running) {
                        var now = ports.clock().instant();
                        waiting(run, wanted).stream()
                                .limit(TAKEN_MAX)
                                .forEach(c -> own.move(c, new CallbackEvent.Sent(now, run.id())));
                    }
                    return Outcome.done(taken(run, wanted));
                });
    }

    /** Skips messages that were carried before: the next prompt delivers them. */
    private List<Callback> waiting(Run run, Wanted wanted) {
        return messages(
                        own.callbacks().openOf(run.session(), OweCallbacks.OPEN_MAX),
                        c -> c.state() instanceof CallbackState.Owed && c.tries() == 0)
                .filter(wanted::wants)
                .toList();
    }

    private List<Callback> taken(Run run, Wanted wanted) {
        return messages(own.callbacks().carriedBy(run.id()), c -> isTaken(c, run))
                .filter(c -> !wanted.seen().contains(c.id().value()))
                .toList();
    }

    /**
     * True if the run took the message within its turn, and did not begin with it in its prompt.
     */
    static boolean isTaken(Callback callback, Run run) {
        return callback.about() instanceof About.Message
                && callback.state().since().isAfter(run.marks().queued());
    }

    private static Stream<Callback> messages(List<Callback> all, Predicate<Callback> wanted) {
        return all.stream()
                .filter(c ->
                        c.about() instanceof About.Message(_, _, _, var notice) && notice == null)
                .filter(wanted);
    }
}
