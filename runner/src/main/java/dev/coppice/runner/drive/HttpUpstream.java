package dev.coppice.runner.drive;

import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.drive.dialect.Upstream;
import dev.coppice.thread.Loops;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Patience;
import dev.coppice.wire.budget.BudgetCalls;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.StartSessionRequest;
import dev.coppice.word.OnParentEnd;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Sends reports to the coordinator in order, on a thread of its own. Each request has a key, so
 * that a retry has no further effect. While the coordinator is away, keeps a bounded number of
 * bytes, and counts the requests that it drops.
 */
final class HttpUpstream implements Upstream, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("driver");
    private static final long WAITING_BYTES_MAX = 16L * 1024 * 1024;

    /** Part of each key: a run may have several drivers, one after the other. */
    private static final long PID = ProcessHandle.current().pid();

    private static final int REASON_CHARS_MAX = 200;
    private static final Duration CLOSE_MAX = Duration.ofSeconds(30);

    private final CoppiceClient client;
    private final String session;
    private final String run;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Told> waiting = new ArrayDeque<>();
    private final Map<String, String> sessions = new HashMap<>();

    /** Live subagents by their sessions. */
    private final Map<String, String> living = new ConcurrentHashMap<>();

    /** Gets the id of each question just before the question is sent. */
    private volatile Consumer<String> asking = _ -> {};

    private long waitingBytes;
    private long told;
    private long lost;
    private boolean isClosed;

    /** True once the waiting requests are dropped. */
    private boolean isOver;

    private final Thread sender;

    HttpUpstream(CoppiceClient client, String session, String run, Loops loops) {
        this.client = client;
        this.session = session;
        this.run = run;
        sessions.put(SELF, session);
        this.sender = loops.startOnPlatform("upstream", this::isSending, this::sendNext);
    }

    /**
     * A request that waits to be sent; {@code question} is the id of the question that it reports.
     */
    private record Told(
            Call<?, ?> call, Record input, long bytes, String key, @Nullable String question) {}

    private <I extends Record> void tell(Call<I, ?> call, I input, long bytes) {
        tell(call, input, bytes, null);
    }

    private <I extends Record> void tell(
            Call<I, ?> call, I input, long bytes, @Nullable String question) {
        lock.lock();
        try {
            told++;
            if (waitingBytes + bytes > WAITING_BYTES_MAX) {
                if (lost++ == 0) {
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "the coordinator is away for too long; events are lost from now on");
                }
                return;
            }
            waitingBytes += bytes;
            waiting.add(
                    new Told(call, input, bytes, "%s-%d-%d".formatted(run, PID, told), question));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isSending() {
        lock.lock();
        try {
            return !isOver && !(isClosed && waiting.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    private void sendNext() throws InterruptedException {
        var next = next();
        if (next == null) return;
        try {
            tell(next);
        } finally {
            // Also after an unreadable answer, which must not block later requests.
            done(next);
        }
    }

    private void tell(Told next) {
        var question = next.question();
        try {
            if (question != null) asking.accept(question);
        } finally {
            send(next, next.call());
        }
    }

    private @Nullable Told next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty()) {
                if (isClosed) return null;
                changed.await();
            }
            return waiting.getFirst();
        } finally {
            lock.unlock();
        }
    }

    private void done(Told sent) {
        lock.lock();
        try {
            waiting.removeFirst();
            waitingBytes -= sent.bytes();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("unchecked")
    private <I extends Record, O> void send(Told told, Call<I, O> call) {
        try {
            var answer =
                    client.with(Map.of("Idempotency-Key", told.key()))
                            .callPatiently(call, (I) told.input());
            if (answer.isGood() && told.input() instanceof StartSessionRequest made) {
                living.putAll(begun(made));
            } else if (!answer.isGood()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} was refused: {1}",
                        call.name(),
                        answer.error());
            }
        } catch (CoppiceClient.Unreachable e) {
            LOG.log(System.Logger.Level.WARNING, "{0}: {1}", call.name(), e.getMessage());
        }
    }

    /** Returns the program's ids of the live subagents by their sessions. */
    Map<String, String> living() {
        return Map.copyOf(living);
    }

    private static Map<String, String> begun(StartSessionRequest made) {
        var agent = made.metadata() == null ? null : Json.textIfAny(made.metadata(), "agent_id");
        var id = made.sessionId();
        return id == null || agent == null ? Map.of() : Map.of(id, agent);
    }

    /** Reports that the program has read these messages. */
    void heard(List<String> messages) {
        if (messages.isEmpty()) return;
        var heard = new CallbackCalls.Take(run, null, null, messages, null, Patience.NONE);
        tell(CallbackCalls.TAKE, heard, 64);
    }

    private String sessionOf(String agent) {
        return sessions.getOrDefault(agent, session);
    }

    @Override
    public void event(String agent, String type, Map<String, ?> fields) {
        event(agent, type, fields, null);
    }

    @Override
    public void question(String agent, String id, Map<String, ?> fields) {
        event(agent, "permission_request", fields, id);
    }

    /** Sets the listener that gets the id of each question just before the question is sent. */
    void onQuestions(Consumer<String> asked) {
        asking = asked;
    }

    private void event(
            String agent, String type, Map<String, ?> fields, @Nullable String question) {
        var event = (ObjectNode) Json.tree(fields);
        event.put("event_type", type);
        var cut = Cut.fitting(event);
        tell(
                EventCalls.REPORT,
                new EventCalls.Report(sessionOf(agent), cut),
                cut.toString().length(),
                question);
    }

    @Override
    public void programSession(String id) {
        var bind = new SessionCalls.Bind(session, id, null, null, null);
        tell(SessionCalls.BIND, bind, id.length());
    }

    @Override
    public void spent(String agent, Spent spent) {
        var usage =
                new BudgetCalls.Usage(
                        sessionOf(agent),
                        null,
                        spent.inputTokens(),
                        spent.outputTokens(),
                        spent.dollars());
        tell(BudgetCalls.REPORT, usage, 64);
    }

    @Override
    public void began(String agent, Subagent subagent) {
        var parent = sessionOf(agent);
        var id = Subagents.id(session, subagent);
        sessions.put(subagent.id(), id);
        var request =
                new StartSessionRequest(
                        id,
                        Subagents.name(session, subagent),
                        null,
                        null,
                        null,
                        null,
                        StartSessionRequest.INSIDE,
                        parent,
                        null,
                        Json.tree(
                                Map.of(
                                        "agent_id", subagent.id(),
                                        "agent_type", subagent.type(),
                                        "description", subagent.description())),
                        null,
                        OnParentEnd.STOP);
        tell(SessionCalls.CREATE, request, 256);
        tell(SessionCalls.BIND, new SessionCalls.Bind(id, subagent.id(), null, null, null), 64);
    }

    @Override
    public void ended(String agent, Ending ending, String said) {
        living.remove(sessionOf(agent));
        event(agent, "result", Map.of("result_text", said));
        tell(
                SessionCalls.END,
                new SessionCalls.End(sessionOf(agent), ending(ending), reason(said)),
                256);
    }

    private static String reason(String said) {
        var line = said.lines().findFirst().orElse("");
        var begin = line.substring(0, Math.min(line.length(), REASON_CHARS_MAX));
        return begin.isBlank() ? "its program has ended" : begin;
    }

    private static SessionCalls.EndState ending(Ending ending) {
        return switch (ending) {
            case FINISHED -> SessionCalls.EndState.FINISHED;
            case FAILED -> SessionCalls.EndState.FAILED;
            case STOPPED -> SessionCalls.EndState.STOPPED;
        };
    }

    @Override
    public void result(String text) {
        event(SELF, "result", Map.of("result_text", text));
    }

    /** Waits until everything is sent, or as long as the end of a run may take. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
            long left = CLOSE_MAX.toNanos();
            while (!waiting.isEmpty() && left > 0) left = changed.awaitNanos(left);
            lost += waiting.size();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            isOver = true;
            lock.unlock();
        }
        if (lost > 0) {
            LOG.log(System.Logger.Level.WARNING, "{0} events were not sent", lost);
        }
        sender.interrupt();
    }
}
