package dev.coppice.mcp.call;

import dev.coppice.access.Caller;
import dev.coppice.mcp.message.Changes.InputRequest;
import dev.coppice.mcp.message.Changes.TaskCreated;
import dev.coppice.mcp.message.Changes.TaskView;
import dev.coppice.mcp.message.Envelopes.Fault;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/** A request that continues after its answer, until it has a result. */
public final class Task implements Asking {
    public static final Duration VALID = Duration.ofHours(6);
    public static final int POLL_MILLIS = 1_000;

    private final String id;
    private final Caller caller;

    /** The way to the work; none once the task is over, which may be retained for long. */
    private volatile Work work;

    private final InstantSource clock;
    private final ObjLongConsumer<Task> keeping;
    private final Instant created;
    private final Map<String, Question> asked = new LinkedHashMap<>();
    private final Map<String, JsonNode> answers = new HashMap<>();
    private final Set<Consumer<TaskView>> readers = ConcurrentHashMap.newKeySet();
    private Instant updated;
    private Status status = Status.WORKING;
    private @Nullable String said;
    private @Nullable Object result;
    private @Nullable Fault fault;

    /** The states of the protocol. */
    public enum Status {
        WORKING,
        INPUT_REQUIRED,
        COMPLETED,
        FAILED,
        CANCELLED;

        boolean isOver() {
            return this != WORKING && this != INPUT_REQUIRED;
        }

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** How to cancel the work of a task, and whether it is cancelled. */
    record Work(Runnable cancel, BooleanSupplier isCancelled) {
        private static final Work OVER = new Work(() -> {}, () -> true);
    }

    /** {@code keeping} is told how large the result is that is retained. */
    Task(String id, Caller caller, Work work, InstantSource clock, ObjLongConsumer<Task> keeping) {
        this.keeping = keeping;
        this.id = id;
        this.caller = caller;
        this.work = work;
        this.clock = clock;
        this.created = clock.instant();
        this.updated = created;
    }

    String id() {
        return id;
    }

    Caller caller() {
        return caller;
    }

    synchronized boolean isPast(Instant now) {
        return created.plus(VALID).isBefore(now);
    }

    TaskCreated created() {
        return new TaskCreated(view());
    }

    public synchronized TaskView view() {
        var open = new LinkedHashMap<String, InputRequest>();
        asked.forEach((key, question) -> {
            if (!answers.containsKey(key)) open.put(key, question.shown());
        });
        return new TaskView(
                id,
                status.word(),
                said,
                created.toString(),
                updated.toString(),
                VALID.toMillis(),
                POLL_MILLIS,
                open.isEmpty() ? null : open,
                result,
                fault,
                null);
    }

    void said(String now) {
        synchronized (this) {
            if (status.isOver() || now.equals(said)) return;
            said = now;
        }
        moved();
    }

    void completed(Object value) {
        var text = Json.write(value);
        synchronized (this) {
            if (status.isOver()) return;
            result = Json.stored(text);
            status = Status.COMPLETED;
        }
        keeping.accept(this, text.length());
        moved();
    }

    void failed(Fault with) {
        synchronized (this) {
            if (status.isOver()) return;
            fault = with;
            status = Status.FAILED;
        }
        moved();
    }

    void cancelled() {
        synchronized (this) {
            if (status.isOver()) return;
            status = Status.CANCELLED;
        }
        moved();
    }

    /** Requests the end of the work, which reports when it has ended. */
    public void stop() {
        work.cancel().run();
    }

    @Override
    public synchronized void cancel() {
        notifyAll();
    }

    @Override
    public Map<String, JsonNode> answers(Map<String, Question> questions) throws Cancelled {
        synchronized (this) {
            asked.putAll(questions);
            status = Status.INPUT_REQUIRED;
        }
        moved();
        synchronized (this) {
            try {
                while (!answers.keySet().containsAll(questions.keySet())) {
                    if (isCancelled()) throw new Cancelled();
                    wait(VALID.toMillis());
                    if (isPast(clock.instant())) throw new Cancelled();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Cancelled();
            } finally {
                asked.keySet().removeAll(questions.keySet());
            }
            status = Status.WORKING;
        }
        moved();
        return Map.copyOf(answers);
    }

    /** Takes the answers that fit an open question, and ignores the others. */
    public void answered(Map<String, JsonNode> sent) {
        synchronized (this) {
            sent.forEach((key, answer) -> {
                var question = asked.get(key);
                boolean fits = question != null && question.isAnsweredBy(answer);
                if (fits) answers.putIfAbsent(key, answer);
            });
            notifyAll();
        }
        moved();
    }

    private boolean isCancelled() {
        return work.isCancelled().getAsBoolean();
    }

    private void moved() {
        synchronized (this) {
            updated = clock.instant();
            if (status.isOver()) work = Work.OVER;
        }
        var now = view();
        for (var reader : readers) reader.accept(now);
    }

    /** Notifies a reader of each change until the returned action is run. */
    public Runnable follow(Consumer<TaskView> reader) {
        readers.add(reader);
        return () -> readers.remove(reader);
    }
}
