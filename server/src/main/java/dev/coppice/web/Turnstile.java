package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.kernel.RequestRefusal;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many requests of one caller are worked on at a time: each may hold a body and a page of a few
 * megabytes, and one agent's token must not take the memory of all. Requests above that wait their
 * turn; waits and streams, once they have begun, count no longer.
 */
final class Turnstile {
    private static final int OF_AN_AGENT_MAX = 16;
    private static final int OF_A_ROLE_MAX = 256;
    private static final int PATIENCE_SECONDS = 30;
    private final Map<String, Semaphore> turns = new ConcurrentHashMap<>();

    Reply pass(Caller caller, Switchboard.Attempt attempt) throws IOException {
        int max = caller.role() == Role.AGENT ? OF_AN_AGENT_MAX : OF_A_ROLE_MAX;
        var turn = turns.computeIfAbsent(caller.key(), _ -> new Semaphore(max, true));
        try {
            if (!turn.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return Problems.reply(new RequestRefusal.TooMany("requests", max));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Problems.reply(new RequestRefusal.TooMany("requests", max));
        }
        try {
            return attempt.reply();
        } finally {
            turn.release();
            // Nobody is left in it; who takes it out meanwhile only begins a new count.
            if (turn.availablePermits() == max) turns.remove(caller.key(), turn);
        }
    }
}
