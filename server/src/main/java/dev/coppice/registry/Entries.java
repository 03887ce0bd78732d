package dev.coppice.registry;

import dev.coppice.blueprint.BlueprintName;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads and writes the files of the entries of one registry. */
final class Entries {
    /** The suffix of a file that is being written. */
    static final String BESIDE = ".new";

    private final Path directory;
    private final Layout layout;

    Entries(Path directory, Layout layout) {
        this.directory = directory;
        this.layout = layout;
    }

    boolean has(String name) {
        return BlueprintName.isValid(name) && Files.isRegularFile(document(name));
    }

    Path document(String name) {
        return directory.resolve(name).resolve(layout.file());
    }

    List<String> names() {
        if (!Files.isDirectory(directory)) return List.of();
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .filter(this::has)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
    }

    /** A value that changes when one of the entry's files does. */
    List<Object> stamp(String name) throws IOException {
        var stamp = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory.resolve(name))) {
            for (var file : files.sorted().toList()) {
                stamp.add(String.valueOf(file.getFileName()));
                stamp.add(Files.getLastModifiedTime(file));
                stamp.add(Files.size(file));
            }
        }
        return List.copyOf(stamp);
    }

    ObjectNode read(String name) throws IOException {
        WriteUnderWay.forbid("reading a file of a registry");
        var file = document(name);
        var document =
                layout.assembled(
                        name,
                        beside -> {
                            var path = file.resolveSibling(beside);
                            return Files.isRegularFile(path) ? text(path) : null;
                        });
        var changed = Files.getLastModifiedTime(file).toInstant().toString();
        for (var time : List.of(Layout.CREATED, layout.modified())) {
            if (!document.hasNonNull(time)) document.put(time, changed);
        }
        return document;
    }

    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(Bounds.BLUEPRINT_BYTES_MAX + 1);
            if (bytes.length > Bounds.BLUEPRINT_BYTES_MAX) {
                var rule = "at most %d bytes long".formatted(Bounds.BLUEPRINT_BYTES_MAX);
                throw new Fault(String.valueOf(file.getFileName()), "longer", rule);
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** The files of an entry by their names; the document is the last. */
    Map<String, String> files(JsonNode entry) {
        var document = (ObjectNode) entry.deepCopy();
        var files = new LinkedHashMap<String, String>();
        for (var side : layout.sides()) {
            var value = document.get(side.field());
            var name = side.file(document);
            if (name == null) continue;
            document.remove(side.field());
            if (value == null || value.isNull() || isEmpty(value)) continue;
            var text = side.write(value);
            if (text != null) files.put(name, text);
        }
        files.put(layout.file(), Json.pretty(document) + "\n");
        return files;
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isContainer() && value.isEmpty();
    }

    /** Replaces each file by renaming, so that no reader sees half of one. */
    void save(String name, JsonNode entry) {
        WriteUnderWay.forbid("writing a file of a registry");
        var folder = directory.resolve(name);
        try {
            var stale = new ArrayList<>(besides(name));
            Files.createDirectories(folder);
            var files = files(entry);
            for (var file : files.entrySet()) {
                replace(folder.resolve(file.getKey()), file.getValue());
            }
            stale.removeAll(files.keySet());
            for (var file : stale) Files.deleteIfExists(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + folder, e);
        }
    }

    /** The files beside the stored document; the usual ones if it cannot be read. */
    private List<String> besides(String name) throws IOException {
        try {
            return has(name) ? layout.besides(read(name)) : List.of();
        } catch (Fault | Json.Unreadable _) {
            return layout.besides(Json.object());
        }
    }

    private static void replace(Path file, String text) throws IOException {
        var beside = file.resolveSibling(file.getFileName() + BESIDE);
        Files.writeString(beside, text, StandardCharsets.UTF_8);
        try (var channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(
                beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void remove(String name) {
        WriteUnderWay.forbid("removing files of a registry");
        var folder = directory.resolve(name);
        try (Stream<Path> files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        } catch (NoSuchFileException _) {
            // The entry does not exist.
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder, e);
        }
    }
}
