package dev.coppice.blueprints;

import dev.coppice.registry.Layout;
import dev.coppice.registry.Registry;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/** The registries that blueprints refer to, each in a directory beside theirs. */
public final class Registries implements Lookup {
    private final Registry<Capability> capabilities;
    private final Registry<Script> scripts;
    private final Registry<McpServer> mcpServers;
    private final ReentrantLock changing = new ReentrantLock();

    /** {@code home} is the directory with the directories of all registries. */
    public Registries(Path home) {
        this.capabilities = registry(home, Layout.CAPABILITIES, Capability::read);
        this.scripts = registry(home, Layout.SCRIPTS, Script::read);
        this.mcpServers = registry(home, Layout.MCP_SERVERS, McpServer::read);
    }

    private static <T> Registry<T> registry(Path home, Layout layout, Function<JsonNode, T> read) {
        return new Registry<>(home.resolve(layout.directory()), layout, read);
    }

    public Registry<Capability> capabilities() {
        return capabilities;
    }

    public Registry<Script> scripts() {
        return scripts;
    }

    public Registry<McpServer> mcpServers() {
        return mcpServers;
    }

    @Override
    public Optional<Capability> capability(String name) {
        return capabilities.find(name);
    }

    @Override
    public Optional<Script> script(String name) {
        return scripts.find(name);
    }

    @Override
    public Optional<McpServer> mcpServer(String id) {
        return mcpServers.find(id);
    }

    /** Runs one change at a time, so that none deletes what another starts to refer to. */
    public <R> R alone(Supplier<R> change) {
        changing.lock();
        try {
            return change.get();
        } finally {
            changing.unlock();
        }
    }

    /** For each script, a value that changes when it does. */
    public Map<String, List<Object>> scriptStamps() {
        var stamps = new TreeMap<String, List<Object>>();
        for (var name : scripts.all().keySet()) stamps.put(name, scripts.stamp(name));
        return stamps;
    }
}
