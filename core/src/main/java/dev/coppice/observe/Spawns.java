package dev.coppice.observe;

import dev.coppice.kernel.SessionId;

/** Stores the reasons for which children were started. All methods join the current transaction. */
public interface Spawns {
    /** Adds the reason, and changes nothing that is already known of the child and its parent. */
    void explain(SessionId child, Spawn spawn);

    /** Why a child was started, whether its parent waits for it, and as JSON how it was started. */
    record Spawn(String reason, String delegation, String metadata) {}
}
