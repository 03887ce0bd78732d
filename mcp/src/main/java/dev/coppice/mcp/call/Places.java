package dev.coppice.mcp.call;

import dev.coppice.access.Caller;

import java.util.HashMap;
import java.util.Map;

/** Limits the concurrent calls of each caller, so that others can make theirs. */
public final class Places {
    /** Each call holds its arguments. */
    private static final int OF_AN_AGENT_MAX = 16;

    private static final int OF_A_ROLE_MAX = 256;

    private final Map<String, Integer> taken = new HashMap<>();

    public int max(Caller caller) {
        return caller.isAgent() ? OF_AN_AGENT_MAX : OF_A_ROLE_MAX;
    }

    /** False if this caller has reached its limit. */
    public synchronized boolean take(Caller caller) {
        int now = taken.getOrDefault(caller.key(), 0);
        if (now >= max(caller)) return false;
        taken.put(caller.key(), now + 1);
        return true;
    }

    public synchronized void free(Caller caller) {
        taken.computeIfPresent(caller.key(), (_, count) -> count == 1 ? null : count - 1);
    }
}
