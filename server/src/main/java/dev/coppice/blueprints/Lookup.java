package dev.coppice.blueprints;

import java.util.Optional;

/** Finds what blueprints refer to. */
public interface Lookup {
    Optional<Capability> capability(String name);

    Optional<Script> script(String name);

    Optional<McpServer> mcpServer(String id);
}
