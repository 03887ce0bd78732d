package dev.coppice.blueprints;

import dev.coppice.agent.Blueprint;
import dev.coppice.agent.BlueprintName;
import dev.coppice.agent.Blueprints;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Blueprints as files, {@code agents/NAME/agent.json}, so that they can be edited, copied and kept
 * in git. A file is read again when it has changed. An unreadable file is skipped and logged, so
 * that the other blueprints stay usable.
 */
public final class FileBlueprints implements Blueprints {
    private static final System.Logger LOG = System.getLogger("blueprints");
    private static final String FILE = "agent.json";
    private static final String PROMPT_FILE = "agent.system-prompt.md";
    private final Path directory;
    private final Map<String, Blueprint> builtIn = new TreeMap<>();
    private final Map<String, Cached> cache = new ConcurrentHashMap<>();

    public FileBlueprints(Path directory) {
        this.directory = directory;
        for (var blueprint : BuiltIn.all()) builtIn.put(blueprint.name(), blueprint);
    }

    private record Cached(List<Object> stamp, Optional<Blueprint> blueprint) {}

    @Override
    public Optional<Blueprint> find(String name) {
        if (!BlueprintName.isValid(name)) return Optional.empty();
        var file = directory.resolve(name).resolve(FILE);
        if (!Files.isRegularFile(file)) return Optional.ofNullable(builtIn.get(name));
        return read(name, file);
    }

    @Override
    public List<Blueprint> all() {
        var found = new TreeMap<>(builtIn);
        if (Files.isDirectory(directory)) {
            try (Stream<Path> entries = Files.list(directory)) {
                entries.map(entry -> String.valueOf(entry.getFileName()))
                        .forEach(name -> find(name).ifPresent(b -> found.put(name, b)));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot list " + directory, e);
            }
        }
        return List.copyOf(found.values());
    }

    private Optional<Blueprint> read(String name, Path file) {
        try {
            var stamp = stamp(file);
            var cached = cache.get(name);
            if (cached != null && cached.stamp().equals(stamp)) {
                return cached.blueprint();
            }
            var blueprint = parse(name, file);
            cache.put(name, new Cached(stamp, blueprint));
            return blueprint;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot read blueprint " + file, e);
            return Optional.empty();
        }
    }

    /** A value that changes when one of the blueprint's files does. */
    private static List<Object> stamp(Path file) throws IOException {
        var prompt = file.resolveSibling(PROMPT_FILE);
        return List.of(
                Files.getLastModifiedTime(file),
                Files.size(file),
                Files.isRegularFile(prompt) ? Files.getLastModifiedTime(prompt) : "none",
                Files.isRegularFile(prompt) ? Files.size(prompt) : 0L);
    }

    private static Optional<Blueprint> parse(String name, Path file) throws IOException {
        try {
            var document = Json.read(Files.readString(file));
            if (!document.isObject())
                throw new BlueprintText.Fault("document", "no object", "an object");
            var object = (tools.jackson.databind.node.ObjectNode) document;
            object.put("name", name);
            var prompt = file.resolveSibling(PROMPT_FILE);
            if (!object.hasNonNull("system_prompt") && Files.isRegularFile(prompt)) {
                object.put("system_prompt", Files.readString(prompt));
            }
            return Optional.of(BlueprintText.read(object));
        } catch (BlueprintText.Fault | Json.Unreadable e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "skipped blueprint " + file + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Writes a new file and renames it, so that no reader sees half a blueprint. */
    @Override
    public void save(Blueprint blueprint) {
        try {
            var folder = Files.createDirectories(directory.resolve(blueprint.name()));
            var beside = folder.resolve(FILE + ".new");
            var text = Json.read(blueprint.definition().value()).toPrettyString() + "\n";
            Files.writeString(beside, text, StandardCharsets.UTF_8);
            try (var channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(
                    beside,
                    folder.resolve(FILE),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            cache.remove(blueprint.name());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write blueprint " + blueprint.name(), e);
        }
    }

    @Override
    public void remove(String name) {
        var folder = directory.resolve(name);
        cache.remove(name);
        if (!Files.isDirectory(folder)) return;
        try (Stream<Path> files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove blueprint " + name, e);
        }
    }

    /** True if it is built in and no file of the same name replaces it. */
    @Override
    public boolean isBuiltIn(String name) {
        @Nullable Blueprint known = builtIn.get(name);
        return known != null && !Files.isRegularFile(directory.resolve(name).resolve(FILE));
    }
}
