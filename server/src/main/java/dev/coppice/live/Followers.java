package dev.coppice.live;

import dev.coppice.access.Caller;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operation.Rejected;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Limits the open event streams of each caller. One agent's token cannot use up the connections
 * that others need, and its stalled readers delay only its own replays.
 */
final class Followers {
    private static final int OF_AN_AGENT_MAX = 16;
    private static final int OF_A_ROLE_MAX = 2_048;

    /** Replays at a time; each holds a page of the journal of a few megabytes. */
    private static final int REPLAYS_OF_AN_AGENT_MAX = 2;

    private static final int REPLAYS_OF_A_ROLE_MAX = 32;
    private final Map<String, Open> open = new HashMap<>();

    /** The streams of one caller. */
    private static final class Open {
        private final Semaphore replays;
        private int streams;

        Open(int replays) {
            this.replays = new Semaphore(replays, true);
        }
    }

    int max(Caller caller) {
        return caller.isAgent() ? OF_AN_AGENT_MAX : OF_A_ROLE_MAX;
    }

    /** Takes a place; rejects a caller that has reached its limit. */
    Place enter(Caller caller) {
        return place(caller)
                .orElseThrow(() ->
                        new Rejected(new RequestRefusal.TooMany("event streams", max(caller))));
    }

    /** Empty if this caller has reached its limit. */
    synchronized Optional<Place> place(Caller caller) {
        boolean agent = caller.isAgent();
        int replays = agent ? REPLAYS_OF_AN_AGENT_MAX : REPLAYS_OF_A_ROLE_MAX;
        var taken = open.computeIfAbsent(caller.key(), _ -> new Open(replays));
        if (taken.streams >= max(caller)) return Optional.empty();
        taken.streams++;
        return Optional.of(new Place(caller.key(), taken.replays));
    }

    private synchronized void leave(String key) {
        open.computeIfPresent(key, (_, taken) -> --taken.streams == 0 ? null : taken);
    }

    /** One open stream, until it is closed. */
    final class Place implements AutoCloseable {
        private final String key;
        private final Semaphore replays;

        private Place(String key, Semaphore replays) {
            this.key = key;
            this.replays = replays;
        }

        Semaphore replays() {
            return replays;
        }

        @Override
        public void close() {
            leave(key);
        }
    }
}
