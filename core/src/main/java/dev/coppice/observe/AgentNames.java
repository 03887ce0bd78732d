package dev.coppice.observe;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Optional;

/**
 * Names that hooks give to agents. Callers that are confined to the same session share names, and
 * so do all that are confined to none. Nobody else reads or replaces them. Every method joins the
 * current transaction.
 */
public interface AgentNames {
    Optional<String> find(@Nullable SessionId below, String key);

    /** Stores a name; forgets the oldest ones beyond a bound, of this session and of all. */
    void put(@Nullable SessionId below, String key, String name, Instant at);
}
