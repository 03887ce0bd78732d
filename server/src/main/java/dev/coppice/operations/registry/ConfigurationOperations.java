package dev.coppice.operations.registry;

import dev.coppice.access.Need;
import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.Capability;
import dev.coppice.blueprints.McpServer;
import dev.coppice.blueprints.Registries;
import dev.coppice.blueprints.RegistryEntry;
import dev.coppice.blueprints.Resolution;
import dev.coppice.blueprints.Script;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.BlueprintRefusal.Registered;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Transactions;
import dev.coppice.operations.Given;
import dev.coppice.registry.Fault;
import dev.coppice.registry.Layout;
import dev.coppice.registry.Registry;
import dev.coppice.request.Operation;
import dev.coppice.request.Reply;
import dev.coppice.request.SharedMemory;
import dev.coppice.schema.JsonSchemas;
import dev.coppice.wire.registry.ConfigurationCalls;
import dev.coppice.wire.registry.RegistryCalls;

import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Capabilities, scripts and MCP servers, and the export and import of all registries. */
public final class ConfigurationOperations {
    private static final DateTimeFormatter EXPORTED =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final AllBlueprints blueprints;
    private final Registries registries;
    private final Resolution resolution;
    private final References references;
    private final Checks checks;
    private final InstantSource clock;
    private final Transactions transactions;
    private final SharedMemory memory;

    public ConfigurationOperations(
            AllBlueprints blueprints,
            Registries registries,
            JsonSchemas schemas,
            InstantSource clock,
            Transactions transactions,
            SharedMemory memory) {
        this.blueprints = blueprints;
        this.registries = registries;
        this.resolution = new Resolution(registries);
        this.references = new References(blueprints, registries);
        this.checks = new Checks(schemas);
        this.clock = clock;
        this.transactions = transactions;
        this.memory = memory;
    }

    public List<Operation<?, ?>> all() {
        var capabilities =
                new Catalog<>(
                        Registered.CAPABILITY,
                        Layout.CAPABILITIES,
                        registries.capabilities(),
                        Capability::read,
                        resolution::unknown);
        var scripts =
                new Catalog<>(
                        Registered.SCRIPT,
                        Layout.SCRIPTS,
                        registries.scripts(),
                        Script::read,
                        checks::unusable);
        var servers =
                new Catalog<>(
                        Registered.MCP_SERVER,
                        Layout.MCP_SERVERS,
                        registries.mcpServers(),
                        McpServer::read,
                        _ -> Optional.empty());
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(operations(capabilities, RegistryCalls.CAPABILITIES));
        all.addAll(operations(scripts, RegistryCalls.SCRIPTS));
        all.addAll(operations(servers, RegistryCalls.MCP_SERVERS));
        all.add(
                Operation.sending(
                        RegistryCalls.DOWNLOAD, Need.READ, (_, in) -> download(in.name())));
        all.add(Operation.sending(ConfigurationCalls.EXPORT, Need.DEFINE, (_, _) -> exported()));
        all.add(
                Operation.changingOutside(
                        ConfigurationCalls.IMPORT,
                        Need.DEFINE,
                        transactions,
                        (x, in) -> imported(x.caller().key(), in.file())));
        return all;
    }

    private Outcome<Reply> exported() {
        var archive = new Packing();
        blueprints
                .files()
                .forEach((name, files) ->
                        archive.add(Layout.AGENTS.directory() + "/" + name, files));
        add(archive, Layout.CAPABILITIES, registries.capabilities());
        add(archive, Layout.SCRIPTS, registries.scripts());
        add(archive, Layout.MCP_SERVERS, registries.mcpServers());
        var at = EXPORTED.format(clock.instant().atOffset(ZoneOffset.UTC));
        return Outcome.done(archive.reply("config-" + at));
    }

    private static <T extends RegistryEntry> void add(
            Packing archive, Layout layout, Registry<T> registry) {
        registry.all()
                .forEach((name, entry) ->
                        archive.add(
                                layout.directory() + "/" + name, registry.files(entry.document())));
    }

    private Outcome<ConfigurationCalls.Imported> imported(String caller, String file) {
        try {
            var packed = Base64.getDecoder().decode(file);
            long bytes = Unpacked.weight(packed);
            memory.take(caller, bytes);
            try {
                return Outcome.done(imported(Unpacked.of(packed)));
            } finally {
                memory.give(caller, bytes);
            }
        } catch (Fault e) {
            throw Given.bad(e.field(), e.value(), e.rule());
        } catch (IllegalArgumentException e) {
            throw Given.bad("file", String.valueOf(e.getMessage()), "in Base64");
        }
    }

    private ConfigurationCalls.Imported imported(Unpacked archive) {
        return registries.alone(
                () -> new ImportConfiguration(registries, blueprints, checks, archive).replace());
    }

    private <T extends RegistryEntry> List<Operation<?, ?>> operations(
            Catalog<T> catalog, RegistryCalls calls) {
        return new RegistryOperations<>(catalog, calls, references, registries, clock, transactions)
                .all();
    }

    private Outcome<Reply> download(String name) {
        return registries
                .scripts()
                .find(name)
                .<Outcome<Reply>>map(script -> Outcome.done(packed(script)))
                .orElseGet(() ->
                        Outcome.refused(
                                new BlueprintRefusal.EntryUnknown(Registered.SCRIPT, name)));
    }

    private Reply packed(Script script) {
        var archive = new Packing();
        archive.add(script.name(), registries.scripts().files(script.document()));
        return archive.reply(script.name());
    }
}
