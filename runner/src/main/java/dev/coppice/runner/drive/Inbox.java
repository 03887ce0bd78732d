package dev.coppice.runner.drive;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Pause;
import dev.coppice.runner.drive.dialect.Message;
import dev.coppice.thread.Loops;
import dev.coppice.wire.Patience;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.callback.CallbackView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Polls the messages to the session: those that steer its turn, and those of people while the
 * program waits for an answer. Passes each on once.
 */
final class Inbox {
    private static final System.Logger LOG = System.getLogger("driver");
    private static final Patience LONG = Patience.of(Duration.ofSeconds(20));
    private static final Patience SHORT = Patience.of(Duration.ofSeconds(3));
    private static final Duration AGAIN = Duration.ofSeconds(2);

    /** The coordinator repeats messages that are not among these; repeated ones are dropped. */
    private static final int SEEN_MAX = 1_000;

    private final CoppiceClient client;
    private final String run;
    private final BlockingQueue<Heard> heard;
    private final Supplier<Map<String, String>> subagents;
    private final Loops loops;
    private final Set<String> seen = new LinkedHashSet<>();
    private final Set<String> stopped = new LinkedHashSet<>();
    private final Map<String, Instant> questions = new ConcurrentHashMap<>();
    private volatile @Nullable String asked;

    /** {@code subagents} are the live ones by their sessions. */
    Inbox(
            CoppiceClient client,
            String run,
            BlockingQueue<Heard> heard,
            Supplier<Map<String, String>> subagents,
            Loops loops) {
        this.client = client;
        this.run = run;
        this.heard = heard;
        this.subagents = subagents;
        this.loops = loops;
    }

    void start() {
        loops.startOnPlatform("inbox", () -> true, this::follow);
    }

    /** Starts to poll for answers to this question; null stops it. */
    void ask(@Nullable String question) {
        if (Objects.equals(question, asked)) return;
        asked = question;
        if (question != null) {
            loops.startOnPlatform("answers", () -> question.equals(asked), () -> answers(question));
        }
    }

    /**
     * Records the coordinator's time before the question is sent. The question is visible only
     * after that, so every answer to it is later.
     */
    void isAsked(String question) {
        try {
            var now = look(Instant.MAX);
            // Replaces an earlier time that the answers thread may have recorded meanwhile.
            if (now != null) questions.put(question, now);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** True if a message was sent after the question was asked. */
    boolean isAnswerTo(String question, Message message) {
        var since = questions.get(question);
        return since != null && !message.created().isBefore(since);
    }

    private void follow() throws InterruptedException {
        if (look(null) == null) Pause.of(AGAIN);
    }

    /** Uses the time of this look until the time of the question is known. */
    private void answers(String question) throws InterruptedException {
        var since = questions.get(question);
        var now = look(since == null ? Instant.MAX : since);
        if (now == null) Pause.of(AGAIN);
        else questions.putIfAbsent(question, now);
    }

    /**
     * Takes messages. Returns the coordinator's time; null if it is away or refuses. {@code
     * Instant.MAX} takes no answers and does not wait: a question that was just asked has none.
     */
    private @Nullable Instant look(@Nullable Instant answersSince) throws InterruptedException {
        boolean isFirst = Instant.MAX.equals(answersSince);
        var living = living();
        var patience =
                isFirst ? Patience.NONE : answersSince != null || !living.isEmpty() ? SHORT : LONG;
        var sessions = new ArrayList<>(living.keySet());
        var since = isFirst || answersSince == null ? null : answersSince.toString();
        var take = new CallbackCalls.Take(run, since, seenSoFar(), null, sessions, patience);
        try {
            var answer = client.call(CallbackCalls.TAKE, take);
            if (!answer.isGood()) {
                LOG.log(System.Logger.Level.DEBUG, "no messages: {0}", answer.error());
                return null;
            }
            for (var message : answer.value().messages()) hear(message);
            for (var session : answer.value().ended()) {
                var agent = living.get(session);
                if (agent != null && isNew(stopped, session)) {
                    heard.put(new Heard.SubagentStopped(agent));
                }
            }
            return Instant.parse(answer.value().now());
        } catch (CoppiceClient.Unreachable e) {
            LOG.log(System.Logger.Level.DEBUG, e.getMessage());
            return null;
        }
    }

    private void hear(CallbackView message) throws InterruptedException {
        var text = message.message();
        if (text == null || !isNew(seen, message.callbackId())) return;
        heard.put(
                new Heard.Told(
                        new Message(
                                message.callbackId(),
                                text,
                                message.fromSessionId(),
                                "steer".equals(message.whenBusy()),
                                Instant.parse(message.createdAt()))));
    }

    /** Returns the live subagents whose stop has not been passed on. */
    private Map<String, String> living() {
        var living = new HashMap<>(subagents.get());
        synchronized (this) {
            living.keySet().removeAll(stopped);
        }
        return living;
    }

    private synchronized List<String> seenSoFar() {
        return seen.stream().skip(Math.max(0, seen.size() - SEEN_MAX)).toList();
    }

    private synchronized boolean isNew(Set<String> ids, String id) {
        return ids.add(id);
    }
}
