package dev.coppice.live;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many event streams are open, and for whom. One agent's token cannot take the connections that
 * others need.
 */
final class Followers {
    private static final int OF_AN_AGENT_MAX = 16;
    private static final int OF_A_ROLE_MAX = 2_048;
    private final Map<String, Integer> open = new HashMap<>();

    int max(Caller caller) {
        return caller.role() == Role.AGENT ? OF_AN_AGENT_MAX : OF_A_ROLE_MAX;
    }

    /** Nothing when this caller has as many as it may have. */
    synchronized Optional<Place> place(Caller caller) {
        int taken = open.getOrDefault(caller.key(), 0);
        if (taken >= max(caller)) return Optional.empty();
        open.put(caller.key(), taken + 1);
        return Optional.of(new Place(caller.key()));
    }

    private synchronized void leave(String key) {
        open.computeIfPresent(key, (_, taken) -> taken == 1 ? null : taken - 1);
    }

    /** One open stream, until it is closed. */
    final class Place implements AutoCloseable {
        private final String key;

        private Place(String key) {
            this.key = key;
        }

        @Override
        public void close() {
            leave(key);
        }
    }
}
