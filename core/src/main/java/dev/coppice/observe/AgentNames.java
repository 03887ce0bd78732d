package dev.coppice.observe;

import java.time.Instant;
import java.util.Optional;

/** Names that hooks give to agents. Every method joins the current transaction. */
public interface AgentNames {
    Optional<String> find(String key);

    /** Stores a name; forgets the oldest ones beyond a bound. */
    void put(String key, String name, Instant at);
}
