package dev.coppice.observe;

import dev.coppice.kernel.SessionId;

/** What is known of the start of children. */
public interface Spawns {
    /** Says why a child was started; what is known of the pair of it and its parent stays. */
    void explain(SessionId child, Spawn spawn);

    /** Why a child was started, whether its parent waits for it, and as JSON how it was started. */
    record Spawn(String reason, String delegation, String metadata) {}
}
