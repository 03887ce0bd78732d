package dev.coppice.mcp.call;

import dev.coppice.access.Caller;
import dev.coppice.mcp.message.Envelopes.Request;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A client of the era with sessions: what it declared, and what is under way for it. */
public final class ClientSession {
    private static final int QUESTIONS_MAX = 64;
    private static final int WATCHED_MAX = 100;
    private static final int ENDED_MAX = 8;
    private static final int UNKNOWN = -32001;
    private static final String OWN = "0";

    /** The limit for the streams that are over. */
    private static final long ENDED_CHARS_MAX = 1024 * 1024;

    private final String id;
    private final Caller caller;
    private final String version;
    private final Abilities abilities;
    private final Outbox own;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<JsonNode, Running> running = new HashMap<>();

    /** The streams of calls that are over, oldest first: a client may come back for the rest. */
    private final LinkedHashMap<String, Outbox> ended = new LinkedHashMap<>();

    private final Map<String, CompletableFuture<JsonNode>> questions = new HashMap<>();
    private final Map<String, Runnable> watched = new HashMap<>();
    private volatile String logLevel = "info";
    private boolean isClosed;
    private final LongSupplier nanos;
    private final Retained retained;
    private volatile long lastUse;

    /** A call under way. */
    private record Running(String stream, Outbox out, Runnable cancel) {}

    /** A question that was sent, and where its answer arrives. */
    record Asked(Question question, String number, CompletableFuture<JsonNode> answer) {}

    /** A stream, and the number of the last event that its client has. */
    public record Resumed(Outbox out, long after) {}

    ClientSession(
            String id,
            Caller caller,
            String version,
            Abilities abilities,
            LongSupplier nanos,
            Retained retained) {
        this.nanos = nanos;
        this.retained = retained;
        this.lastUse = nanos.getAsLong();
        this.id = id;
        this.caller = caller;
        this.version = version;
        this.abilities = abilities;
        this.own = Outbox.resumable(OWN, primes());
    }

    public String id() {
        return id;
    }

    public Caller caller() {
        return caller;
    }

    public Client client() {
        return new Client(Era.SESSIONS, version, abilities, logLevel, caller);
    }

    /** The stream for messages that belong to no call. */
    public Outbox own() {
        return own;
    }

    public void touch() {
        lastUse = nanos.getAsLong();
    }

    long lastUse() {
        return lastUse;
    }

    /** True if no call is under way and its stream has no reader. */
    synchronized boolean isIdle() {
        return running.isEmpty() && !own.hasReader();
    }

    public void logFrom(String level) {
        logLevel = level;
    }

    /**
     * A stream for a call. Clients of the last version expect an event before the first message.
     */
    public Outbox stream() {
        return Outbox.resumable(Long.toString(numbers.incrementAndGet()), primes());
    }

    private boolean primes() {
        return version.equals(Versions.LAST_OF_SESSIONS);
    }

    /** {@code cancel} stops what can be stopped of the call. */
    public synchronized void begin(JsonNode call, Outbox out, Runnable cancel) throws BrokenCall {
        if (isClosed) throw unknown();
        if (running.containsKey(call)) {
            throw new BrokenCall(400, -32600, "the id %s is in use".formatted(call));
        }
        running.put(call, new Running(out.name(), out, cancel));
    }

    /** Ends a call. Keeps its stream if the client may have lost the connection. */
    public void end(JsonNode call) {
        ended(call).ifPresent(this::retain);
    }

    private void retain(Outbox out) {
        retained.add(out, caller.key(), out.chars(), () -> drop(out));
        boolean isGone;
        synchronized (this) {
            isGone = !ended.containsKey(out.name());
        }
        if (isGone) retained.forget(out);
    }

    private synchronized Optional<Outbox> ended(JsonNode call) {
        var over = running.remove(call);
        touch();
        if (isClosed || over == null || over.out().isDelivered()) return Optional.empty();
        ended.put(over.stream(), over.out());
        while (ended.size() > ENDED_MAX || chars() > ENDED_CHARS_MAX) {
            retained.forget(ended.pollFirstEntry().getValue());
        }
        return ended.containsKey(over.stream()) ? Optional.of(over.out()) : Optional.empty();
    }

    private synchronized void drop(Outbox out) {
        ended.remove(out.name());
    }

    private long chars() {
        return ended.values().stream().mapToLong(Outbox::chars).sum();
    }

    /** Drops a stream whose answer was delivered without it. */
    public synchronized void delivered(Outbox out) {
        out.delivered();
        ended.remove(out.name());
        retained.forget(out);
    }

    public void cancel(JsonNode call) {
        Running found;
        synchronized (this) {
            found = running.get(call);
        }
        if (found != null) found.cancel().run();
    }

    /** Finds the stream of an event. */
    public synchronized Optional<Resumed> resumed(String event) {
        int dash = event.lastIndexOf('-');
        if (dash < 0) return Optional.empty();
        var name = event.substring(0, dash);
        long after;
        try {
            after = Long.parseLong(event.substring(dash + 1));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
        if (name.equals(OWN)) return Optional.of(new Resumed(own, after));
        for (var each : running.values()) {
            if (each.stream().equals(name)) return Optional.of(new Resumed(each.out(), after));
        }
        return Optional.ofNullable(ended.get(name)).map(out -> new Resumed(out, after));
    }

    /** Sends a question on a stream; the answer comes with another request. */
    synchronized Asked ask(Question question, Outbox out) throws BrokenCall {
        if (isClosed) throw unknown();
        if (questions.size() >= QUESTIONS_MAX) {
            throw new BrokenCall(200, -32603, "the client has too many questions open");
        }
        var number = "coppice-" + numbers.incrementAndGet();
        var future = new CompletableFuture<JsonNode>();
        questions.put(number, future);
        out.send(new Request(number, question.method(), question.params()));
        return new Asked(question, number, future);
    }

    synchronized void forget(Asked asked) {
        questions.remove(asked.number());
    }

    /** Takes the answer to a question; ignores any other answer. */
    public void answered(JsonNode message) {
        CompletableFuture<JsonNode> future;
        synchronized (this) {
            future = questions.remove(message.path("id").asString(""));
        }
        if (future != null) future.complete(message);
    }

    /** Remembers how to end a subscription. */
    public synchronized void watch(String uri, Runnable end) throws BrokenCall {
        if (isClosed) {
            end.run();
            throw unknown();
        }
        if (watched.size() >= WATCHED_MAX && !watched.containsKey(uri)) {
            end.run();
            throw new BrokenCall(
                    200,
                    -32602,
                    "a session has at most %d subscriptions; end one of them"
                            .formatted(WATCHED_MAX));
        }
        var before = watched.put(uri, end);
        if (before != null) before.run();
    }

    public synchronized void unwatch(String uri) {
        var end = watched.remove(uri);
        if (end != null) end.run();
    }

    /** The answer to a request of a session that is not there. */
    static BrokenCall unknown() {
        return new BrokenCall(
                404, UNKNOWN, "the session has ended or never was; begin anew with initialize");
    }

    /** Ends the session. What its calls have begun goes on. */
    void close() {
        var streams = new ArrayList<Outbox>();
        synchronized (this) {
            isClosed = true;
            questions.values().forEach(future -> future.cancel(false));
            watched.values().forEach(Runnable::run);
            watched.clear();
            ended.values().forEach(retained::forget);
            ended.clear();
            running.values().forEach(r -> streams.add(r.out()));
            streams.add(own);
        }
        streams.forEach(Outbox::close);
    }
}
