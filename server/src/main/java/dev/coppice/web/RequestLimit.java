package dev.coppice.web;

import dev.coppice.access.Caller;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits how many requests of one caller are processed at once, from reading the body until the
 * answer is written. Each may hold a few megabytes, and one agent's token must not take all memory.
 * Requests above the limit wait. Waits and streams count only until they begin; the answer of a
 * wait counts again.
 */
final class RequestLimit {
    private static final int OF_AN_AGENT_MAX = 16;
    private static final int OF_A_ROLE_MAX = 256;
    private static final int WAITS_OF_AN_AGENT_MAX = 64;

    /** All runners of a fleet may share one token, and each waits for work. */
    private static final int WAITS_OF_A_ROLE_MAX = 10_000;

    static final Duration PATIENCE = Duration.ofSeconds(30);
    private final Map<String, Semaphore> turns = new ConcurrentHashMap<>();
    private final int ofAgents;
    private final int ofRoles;

    private RequestLimit(int ofAgents, int ofRoles) {
        this.ofAgents = ofAgents;
        this.ofRoles = ofRoles;
    }

    static RequestLimit ofRequests() {
        return new RequestLimit(OF_AN_AGENT_MAX, OF_A_ROLE_MAX);
    }

    /** A separate limit of waits that are woken by changes. */
    static RequestLimit ofWaits() {
        return new RequestLimit(WAITS_OF_AN_AGENT_MAX, WAITS_OF_A_ROLE_MAX);
    }

    int max(Caller caller) {
        return caller.isAgent() ? ofAgents : ofRoles;
    }

    /** Empty if none of the caller's other requests ended in time. */
    Optional<Turn> enter(Caller caller, Duration patience) {
        var free = turns.computeIfAbsent(caller.key(), _ -> new Semaphore(max(caller), true));
        try {
            return free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(new Turn(caller, free))
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** The turn of one request, until it is closed. */
    final class Turn implements AutoCloseable {
        private final Caller caller;
        private final Semaphore free;
        private final AtomicBoolean closed = new AtomicBoolean();
        private RequestMemory.@Nullable Hold hold;

        private Turn(Caller caller, Semaphore free) {
            this.caller = caller;
            this.free = free;
        }

        Caller caller() {
            return caller;
        }

        /** Attaches memory that is given back when the turn ends. */
        RequestMemory.Hold holding(RequestMemory.Hold memory) {
            hold = memory;
            return memory;
        }

        /** Gives back the memory that the answer does not need. */
        void answered(long bytes) {
            if (hold != null) hold.answered(bytes);
        }

        @Override
        public void close() {
            if (!closed.compareAndSet(false, true)) return;
            if (hold != null) hold.close();
            free.release();
            // No request has a turn. One that enters at this moment starts a new count.
            if (free.availablePermits() == max(caller)) turns.remove(caller.key(), free);
        }
    }
}
