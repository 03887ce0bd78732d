package dev.coppice.operations.registry;

import dev.coppice.blueprint.BlueprintName;
import dev.coppice.kernel.Bounds;
import dev.coppice.registry.Fault;
import dev.coppice.registry.Layout;
import dev.coppice.tar.Tar;
import dev.coppice.tar.Tar.Header;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The entries of an archive, in memory. Nothing is written to a disk before everything is checked,
 * so no name in it can escape a directory.
 */
final class Unpacked {
    private static final int FILES_MAX = 20_000;
    private static final int BYTES_MAX = 64 * 1024 * 1024;

    /** The entry, its path and its places in maps. */
    private static final long OF_A_FILE_BYTES = 1_024;

    /** A value in the document of an entry, and in the definition that is made of it. */
    private static final long OF_A_VALUE_BYTES = 128;

    /** The bytes, their text with at worst two bytes a character, and the text's parts. */
    private static final long COPIES = 4;

    /** Documents by registry and name. A registry that the archive does not have is absent. */
    private final Map<Layout, Map<String, JsonNode>> entries = new LinkedHashMap<>();

    private final List<String> ignored = new ArrayList<>();

    private record Folder(Layout layout, String name) {}

    /** The memory that the entries of an archive will take; nothing of them is kept. */
    static long weight(byte[] archive) {
        var weighed = new Weighed();
        return valid(() -> {
            walk(archive, weighed);
            return weighed.bytes;
        });
    }

    private static final class Weighed implements Visitor {
        private long bytes;

        @Override
        public void visit(String path, byte[] file) throws IOException {
            long values = Json.values(new ByteArrayInputStream(file));
            bytes += OF_A_FILE_BYTES + COPIES * (path.length() + file.length);
            bytes += OF_A_VALUE_BYTES * values;
        }
    }

    static Unpacked of(byte[] archive) {
        return valid(() -> new Unpacked(files(archive)));
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T valid(Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // Numbers and lengths in an archive may be malformed.
            throw new Fault("file", String.valueOf(e.getMessage()), "a valid tar.gz archive");
        }
    }

    private Unpacked(Map<String, String> files) throws IOException {
        var folders = new LinkedHashMap<Folder, Map<String, String>>();
        for (var file : files.entrySet()) {
            var parts = file.getKey().split("/", -1);
            var layout = layout(parts[0]);
            if (layout != null) entries.computeIfAbsent(layout, _ -> new TreeMap<>());
            if (layout != null && parts.length == 3 && BlueprintName.isValid(parts[1])) {
                folders.computeIfAbsent(new Folder(layout, parts[1]), _ -> new TreeMap<>())
                        .put(parts[2], file.getValue());
            } else if (!file.getKey().endsWith("/")) {
                ignored.add(file.getKey());
            }
        }
        for (var folder : folders.entrySet()) add(folder.getKey(), folder.getValue());
    }

    private static @Nullable Layout layout(String directory) {
        return Layout.ALL.stream()
                .filter(layout -> layout.directory().equals(directory))
                .findFirst()
                .orElse(null);
    }

    private void add(Folder folder, Map<String, String> files) throws IOException {
        var layout = folder.layout();
        var place = layout.directory() + "/" + folder.name() + "/";
        var used = new ArrayList<String>();
        if (files.containsKey(layout.file())) {
            try {
                var document = layout.assembled(folder.name(), files::get);
                used.add(layout.file());
                used.addAll(layout.besides(document));
                entries.getOrDefault(layout, Map.of()).put(folder.name(), document);
            } catch (Fault | Json.Unreadable e) {
                throw new Fault(place + layout.file(), String.valueOf(e.getMessage()), "valid");
            }
        }
        for (var file : files.keySet()) if (!used.contains(file)) ignored.add(place + file);
    }

    /** The texts of the files of an archive by their paths; directories end with a slash. */
    private static Map<String, String> files(byte[] archive) throws IOException {
        var files = new LinkedHashMap<String, String>();
        walk(archive, (path, file) -> files.put(path, new String(file, StandardCharsets.UTF_8)));
        return files;
    }

    private interface Visitor {
        void visit(String path, byte[] file) throws IOException;
    }

    private static void walk(byte[] archive, Visitor visitor) throws IOException {
        int entries = 0;
        long left = BYTES_MAX;
        try (var in = new GZIPInputStream(new ByteArrayInputStream(archive))) {
            var tar = new Tar.Reader(in);
            for (var header = tar.next(); header != null; header = tar.next()) {
                var path = path(header);
                boolean isFile = header.type() == Header.FILE && !header.isSparse();
                boolean isDirectory = header.type() == Header.DIRECTORY;
                if (!isFile && !isDirectory) {
                    throw new Fault("file", path, "without links and special files");
                }
                var content = isFile ? content(tar, path) : new byte[0];
                left -= path.length() + content.length;
                if (left < 0 || ++entries > FILES_MAX) {
                    var rule = "at most %d files and %d bytes".formatted(FILES_MAX, BYTES_MAX);
                    throw new Fault("file", "more", rule);
                }
                visitor.visit(isDirectory && !path.endsWith("/") ? path + "/" : path, content);
            }
        }
    }

    private static String path(Header header) {
        var raw = header.name().getBytes(StandardCharsets.ISO_8859_1);
        var path = new String(raw, StandardCharsets.UTF_8);
        while (path.startsWith("./")) path = path.substring(2);
        boolean isUnsafe = path.startsWith("/") || List.of(path.split("/")).contains("..");
        if (isUnsafe) throw new Fault("file", path, "without unsafe paths");
        return path;
    }

    private static byte[] content(Tar.Reader tar, String path) throws IOException {
        var content = new ByteArrayOutputStream();
        var part = new byte[64 * 1024];
        for (int n = tar.read(part); n > 0; n = tar.read(part)) {
            content.write(part, 0, n);
            if (content.size() > Bounds.BLUEPRINT_BYTES_MAX) {
                var rule = "at most %d bytes long".formatted(Bounds.BLUEPRINT_BYTES_MAX);
                throw new Fault(path, "longer", rule);
            }
        }
        return content.toByteArray();
    }

    /** The documents of a registry by their names; null if the archive does not have it. */
    @Nullable Map<String, JsonNode> of(Layout layout) {
        return entries.get(layout);
    }

    boolean isEmpty() {
        return entries.values().stream().allMatch(Map::isEmpty);
    }

    /** Files that belong to no entry. */
    List<String> ignored() {
        return ignored;
    }
}
