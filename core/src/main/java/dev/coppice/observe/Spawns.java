package dev.coppice.observe;

import dev.coppice.kernel.SessionId;

/** Stores the reasons for which children were started. All methods join the current transaction. */
public interface Spawns {
    /** Adds the reason; changes nothing that is already stored about the child and its parent. */
    void explain(SessionId child, Spawn spawn);

    /**
     * The reason for a child, whether its parent waits for it, and the details of its start as
     * JSON.
     */
    record Spawn(String reason, String delegation, String metadata) {}
}
