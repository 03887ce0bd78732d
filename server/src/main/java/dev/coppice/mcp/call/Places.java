package dev.coppice.mcp.call;

import dev.coppice.access.Caller;

import java.util.HashMap;
import java.util.Map;

/** Counts what each caller has open, so that no caller takes what others need. */
public final class Places {
    /** The most sessions of an agent's token, and of any other caller. */
    static final int OPEN_OF_AN_AGENT_MAX = 16;

    static final int OPEN_OF_A_ROLE_MAX = 2_048;

    /** The most calls under way; each holds its arguments. */
    private static final int CALLS_OF_AN_AGENT_MAX = 16;

    private static final int CALLS_OF_A_ROLE_MAX = 256;

    private final Map<String, Integer> taken = new HashMap<>();
    private final int ofAgents;
    private final int ofRoles;

    private Places(int ofAgents, int ofRoles) {
        this.ofAgents = ofAgents;
        this.ofRoles = ofRoles;
    }

    public static Places ofCalls() {
        return new Places(CALLS_OF_AN_AGENT_MAX, CALLS_OF_A_ROLE_MAX);
    }

    public int max(Caller caller) {
        return caller.isAgent() ? ofAgents : ofRoles;
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
