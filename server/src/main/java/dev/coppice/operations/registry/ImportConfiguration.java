package dev.coppice.operations.registry;

import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.Capability;
import dev.coppice.blueprints.Definition;
import dev.coppice.blueprints.Lookup;
import dev.coppice.blueprints.McpServer;
import dev.coppice.blueprints.Registries;
import dev.coppice.blueprints.RegistryEntry;
import dev.coppice.blueprints.Resolution;
import dev.coppice.blueprints.Script;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.registry.Fault;
import dev.coppice.registry.Layout;
import dev.coppice.registry.Registry;
import dev.coppice.wire.registry.ConfigurationCalls.Imported;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Replaces each registry that an archive has with its entries there, after all of them are checked.
 * An import that is killed leaves whole entries, old and new ones; repeating it completes it.
 */
final class ImportConfiguration implements Lookup {
    private final Registries registries;
    private final AllBlueprints blueprints;
    private final Unpacked archive;
    private final @Nullable Map<String, McpServer> servers;
    private final @Nullable Map<String, Script> scripts;
    private final @Nullable Map<String, Capability> capabilities;
    private final @Nullable Map<String, Definition> agents;

    private final List<String> unresolved = new ArrayList<>();

    ImportConfiguration(
            Registries registries, AllBlueprints blueprints, Checks checks, Unpacked archive) {
        this.registries = registries;
        this.blueprints = blueprints;
        this.archive = archive;
        this.servers = read(Layout.MCP_SERVERS, McpServer::read);
        this.scripts = read(Layout.SCRIPTS, Script::read);
        this.capabilities = read(Layout.CAPABILITIES, Capability::read);
        this.agents = read(Layout.AGENTS, checks::blueprint);
        if (archive.isEmpty()) {
            throw new Fault("file", "none", "an archive with entries of registries");
        }
        if (scripts != null) {
            scripts.values()
                    .forEach(s -> checks.unusable(s).ifPresent(ImportConfiguration::reject));
        }
        var after = new Resolution(this);
        var before = new Resolution(registries);
        if (capabilities != null) capabilities.values().forEach(c -> check(after.unknown(c)));
        else
            registries
                    .capabilities()
                    .all()
                    .values()
                    .forEach(c -> check(lost(before.unknown(c), after.unknown(c))));
        if (agents != null) agents.values().forEach(a -> check(after.unknown(a)));
        else blueprints.all().forEach(a -> check(lost(before.unknown(a), after.unknown(a))));
    }

    /** The reference that an entry outside the archive loses; empty if it was lost before. */
    private static Optional<Refusal> lost(Optional<Refusal> before, Optional<Refusal> after) {
        return before.isPresent() ? Optional.empty() : after;
    }

    /**
     * Refuses an unknown reference into a registry that the archive has. Others are only noted:
     * exports of older systems have only some of the registries.
     */
    private void check(Optional<Refusal> unknown) {
        if (unknown.isEmpty()) return;
        boolean isElsewhere =
                unknown.get() instanceof BlueprintRefusal.ReferenceUnknown(_, var what, _)
                        && archive.of(layout(what)) == null;
        if (!isElsewhere) reject(unknown.get());
        unresolved.add(unknown.get().said());
    }

    private static Layout layout(BlueprintRefusal.Registered what) {
        return switch (what) {
            case AGENT -> Layout.AGENTS;
            case CAPABILITY -> Layout.CAPABILITIES;
            case SCRIPT -> Layout.SCRIPTS;
            case MCP_SERVER -> Layout.MCP_SERVERS;
        };
    }

    private static void reject(Refusal refusal) {
        throw new Rejected(refusal);
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

    /** Saves entries before those that refer to them, and removes in the other order. */
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
                archive.ignored(),
                unresolved);
    }

    private record Counts(int agents, int capabilities, int scripts, int servers) {}

    private static int size(@Nullable Map<String, ?> imported) {
        return imported == null ? 0 : imported.size();
    }

    private static <T extends RegistryEntry> void save(
            @Nullable Map<String, T> imported, Registry<T> registry) {
        if (imported == null) return;
        imported.forEach((name, entry) -> registry.save(name, entry.document()));
    }

    private static <T extends RegistryEntry> void removeOthers(
            @Nullable Map<String, T> imported, Registry<T> registry) {
        if (imported == null) return;
        for (var name : registry.names()) if (!imported.containsKey(name)) registry.remove(name);
    }
}
