package dev.coppice.runner.drive;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Pause;
import dev.coppice.runner.drive.dialect.Message;
import dev.coppice.wire.Patience;
import dev.coppice.wire.callback.CallbackCalls;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Takes the messages to the session from the coordinator: always those that are meant for its turn,
 * and all while the program waits for an answer. Each is heard once.
 */
final class Inbox {
    private static final System.Logger LOG = System.getLogger("driver");
    private static final Patience LONG = Patience.of(Duration.ofSeconds(20));
    private static final Patience SHORT = Patience.of(Duration.ofSeconds(3));
    private static final Duration AGAIN = Duration.ofSeconds(2);

    /** The coordinator repeats what is not among these; a repeated message is not heard again. */
    private static final int SEEN_MAX = 1_000;

    private final CoppiceClient client;
    private final String run;
    private final BlockingQueue<Heard> heard;
    private final Supplier<Map<String, String>> subagents;
    private final Set<String> seen = new LinkedHashSet<>();
    private final Set<String> stopped = new LinkedHashSet<>();
    private volatile boolean isAsking;

    /** {@code subagents} are the live ones by their sessions. */
    Inbox(
            CoppiceClient client,
            String run,
            BlockingQueue<Heard> heard,
            Supplier<Map<String, String>> subagents) {
        this.client = client;
        this.run = run;
        this.heard = heard;
        this.subagents = subagents;
    }

    void start() {
        Thread.ofPlatform().daemon().name("inbox").start(() -> follow(false, () -> true));
    }

    /** Begins or ends to take all messages. */
    void ask(boolean asking) {
        if (asking == isAsking) return;
        isAsking = asking;
        if (asking) {
            Thread.ofPlatform().daemon().name("answers").start(() -> follow(true, () -> isAsking));
        }
    }

    private void follow(boolean all, BooleanSupplier goesOn) {
        try {
            while (goesOn.getAsBoolean()) if (!look(all)) Pause.of(AGAIN);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** False if the coordinator does not answer, or refuses. */
    private boolean look(boolean all) throws InterruptedException {
        var living = subagents.get();
        var patience = all || !living.isEmpty() ? SHORT : LONG;
        var sessions = new ArrayList<>(living.keySet());
        var ask = new CallbackCalls.Take(run, all, seenSoFar(), null, sessions, patience);
        try {
            var answer = client.call(CallbackCalls.TAKE, ask);
            if (!answer.isGood()) {
                LOG.log(System.Logger.Level.DEBUG, "no messages: {0}", answer.error());
                return false;
            }
            for (var message : answer.value().messages()) {
                var text = message.message();
                if (text != null && isNew(seen, message.callbackId())) {
                    heard.put(new Heard.Told(new Message(message.callbackId(), text)));
                }
            }
            for (var session : answer.value().ended()) {
                var agent = living.get(session);
                if (agent != null && isNew(stopped, session)) {
                    heard.put(new Heard.SubagentStopped(agent));
                }
            }
            return true;
        } catch (CoppiceClient.Unreachable e) {
            LOG.log(System.Logger.Level.DEBUG, e.getMessage());
            return false;
        }
    }

    private synchronized List<String> seenSoFar() {
        return seen.stream().skip(Math.max(0, seen.size() - SEEN_MAX)).toList();
    }

    private synchronized boolean isNew(Set<String> ids, String id) {
        return ids.add(id);
    }

    /** Gives back messages that the program has not heard. */
    void giveBack(List<String> unheard) {
        if (unheard.isEmpty()) return;
        var back = new CallbackCalls.Take(run, false, seenSoFar(), unheard, null, Patience.NONE);
        try {
            client.callPatiently(CallbackCalls.TAKE, back);
        } catch (CoppiceClient.Unreachable e) {
            LOG.log(System.Logger.Level.WARNING, "messages were not heard: {0}", e.getMessage());
        }
    }
}
