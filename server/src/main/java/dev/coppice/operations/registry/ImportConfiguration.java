package dev.coppice.operations.registry;

import dev.coppice.agent.Blueprint;
import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.BlueprintText;
import dev.coppice.blueprints.Capability;
import dev.coppice.blueprints.Entry;
import dev.coppice.blueprints.Lookup;
import dev.coppice.blueprints.McpServer;
import dev.coppice.blueprints.Registries;
import dev.coppice.blueprints.Resolution;
import dev.coppice.blueprints.Script;
import dev.coppice.kernel.Refusal;
import dev.coppice.operation.Rejected;
import dev.coppice.registry.Fault;
import dev.coppice.registry.Layout;
import dev.coppice.registry.Registry;
import dev.coppice.wire.registry.ConfigurationCalls.Imported;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Replaces each registry that an archive has with its entries there. All of them are checked first.
 * An import that is killed leaves whole entries, old and new ones; the same import again ends it.
 */
final class ImportConfiguration implements Lookup {
    private final Registries registries;
    private final AllBlueprints blueprints;
    private final Unpacked archive;
    private final @Nullable Map<String, McpServer> servers;
    private final @Nullable Map<String, Script> scripts;
    private final @Nullable Map<String, Capability> capabilities;
    private final @Nullable Map<String, Blueprint> agents;

    ImportConfiguration(Registries registries, AllBlueprints blueprints, Unpacked archive) {
        this.registries = registries;
        this.blueprints = blueprints;
        this.archive = archive;
        this.servers = read(Layout.MCP_SERVERS, McpServer::read);
        this.scripts = read(Layout.SCRIPTS, Script::read);
        this.capabilities = read(Layout.CAPABILITIES, Capability::read);
        this.agents = read(Layout.AGENTS, BlueprintText::read);
        if (archive.isEmpty()) {
            throw new Fault("file", "none", "an archive with entries of registries");
        }
        var resolution = new Resolution(this);
        var unknown = new ArrayList<Refusal>();
        if (capabilities != null) {
            capabilities.values().forEach(c -> resolution.unknown(c).ifPresent(unknown::add));
        }
        if (agents != null) {
            agents.values().forEach(a -> resolution.unknown(a).ifPresent(unknown::add));
        }
        if (!unknown.isEmpty()) throw new Rejected(unknown.getFirst());
    }

    private <T> @Nullable Map<String, T> read(Layout layout, Function<JsonNode, T> read) {
        var documents = archive.of(layout);
        if (documents == null) return null;
        var all = new TreeMap<String, T>();
        documents.forEach((name, document) -> {
            try {
                all.put(name, read.apply(document));
            } catch (Fault e) {
                var place = "%s/%s: %s".formatted(layout.directory(), name, e.field());
                throw new Fault(place, e.value(), e.rule());
            }
        });
        return all;
    }

    private static <T> Optional<T> find(
            @Nullable Map<String, T> imported, Registry<T> present, String name) {
        return imported == null ? present.find(name) : Optional.ofNullable(imported.get(name));
    }

    @Override
    public Optional<Capability> capability(String name) {
        return find(capabilities, registries.capabilities(), name);
    }

    @Override
    public Optional<Script> script(String name) {
        return find(scripts, registries.scripts(), name);
    }

    @Override
    public Optional<McpServer> mcpServer(String id) {
        return find(servers, registries.mcpServers(), id);
    }

    /** Saves what is referred to before what refers to it, and removes in the other order. */
    Imported replace() {
        var before =
                new Counts(
                        blueprints.names().size(),
                        registries.capabilities().names().size(),
                        registries.scripts().names().size(),
                        registries.mcpServers().names().size());
        save(servers, registries.mcpServers());
        save(scripts, registries.scripts());
        save(capabilities, registries.capabilities());
        if (agents != null) {
            agents.values().forEach(blueprints::save);
            for (var name : blueprints.names()) {
                if (!agents.containsKey(name)) blueprints.remove(name);
            }
        }
        removeOthers(capabilities, registries.capabilities());
        removeOthers(scripts, registries.scripts());
        removeOthers(servers, registries.mcpServers());
        return new Imported(
                "Configuration imported successfully",
                size(agents),
                size(capabilities),
                agents == null ? 0 : before.agents(),
                capabilities == null ? 0 : before.capabilities(),
                size(scripts),
                size(servers),
                scripts == null ? 0 : before.scripts(),
                servers == null ? 0 : before.servers(),
                archive.ignored());
    }

    private record Counts(int agents, int capabilities, int scripts, int servers) {}

    private static int size(@Nullable Map<String, ?> imported) {
        return imported == null ? 0 : imported.size();
    }

    private static <T extends Entry> void save(
            @Nullable Map<String, T> imported, Registry<T> registry) {
        if (imported == null) return;
        imported.forEach((name, entry) -> registry.save(name, entry.document()));
    }

    private static <T extends Entry> void removeOthers(
            @Nullable Map<String, T> imported, Registry<T> registry) {
        if (imported == null) return;
        for (var name : registry.names()) if (!imported.containsKey(name)) registry.remove(name);
    }
}
