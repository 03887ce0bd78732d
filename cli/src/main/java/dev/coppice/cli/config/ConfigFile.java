package dev.coppice.cli.config;

import dev.coppice.cli.engine.Args;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlFactory;
import tools.jackson.dataformat.toml.TomlMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A configuration file: settings by the names of the environment variables, in TOML. A value is
 * text, a whole number, true or false, a list of those, or {@code {file = "…"}}, whose content is
 * the value.
 */
record ConfigFile(Path path, Map<String, Value> values) {
    static final int BYTES_MAX = 64 * 1024;
    private static final int VALUE_BYTES_MAX = 16 * 1024;
    private static final TomlMapper TOML =
            new TomlMapper(
                    TomlFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder().maxNestingDepth(4).build())
                            .build());

    /** A value, and the file that it refers to if it does. */
    record Value(String text, @Nullable Path from) {}

    /** Reads a file. Refuses unknown settings, and secrets that other users can read. */
    static ConfigFile read(Path file, Predicate<String> wanted) {
        var config = new ConfigFile(file, of(file, text(file, BYTES_MAX), wanted));
        config.refuseOpenSecrets();
        return config;
    }

    /** Reads the text of the file. */
    static Map<String, Value> of(Path file, String text, Predicate<String> wanted) {
        var values = new LinkedHashMap<String, Value>();
        for (var each : parsed(file, text).entrySet()) {
            try {
                Known.check(each.getKey());
            } catch (Args.Invalid e) {
                throw new BadConfiguration(file, e.getMessage());
            }
            if (!wanted.test(each.getKey())) continue;
            values.put(each.getKey(), value(file, each.getKey(), each.getValue()));
        }
        return values;
    }

    static String text(Path file, int max) {
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(max + 1);
            if (bytes.length > max) {
                throw new BadConfiguration(file, "it has more than %d bytes".formatted(max));
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    /** Parses the text of the file. */
    static Map<String, JsonNode> parsed(Path file, String text) {
        try {
            var parsed = new LinkedHashMap<String, JsonNode>();
            TOML.readTree(text).forEachEntry(parsed::put);
            return parsed;
        } catch (JacksonException e) {
            var at = e.getLocation();
            var where = at == null ? "" : "line %d: ".formatted(at.getLineNr());
            throw new BadConfiguration(file, where + e.getOriginalMessage());
        }
    }

    private static Value value(Path file, String name, JsonNode node) {
        var scalar = scalar(node);
        if (scalar != null) return new Value(scalar, null);
        if (node.isArray()) {
            var words = new ArrayList<String>();
            for (var each : node) {
                var word = scalar(each);
                if (word == null || word.contains(",")) throw odd(file, name);
                words.add(word);
            }
            return new Value(String.join(",", words), null);
        }
        var named = node.path("file");
        if (!node.isObject() || node.size() != 1 || !named.isString()) throw odd(file, name);
        var from = file.toAbsolutePath().resolveSibling(named.asString());
        return new Value(text(from, VALUE_BYTES_MAX).strip(), from);
    }

    private static @Nullable String scalar(JsonNode node) {
        boolean isScalar = node.isString() || node.isIntegralNumber() || node.isBoolean();
        return isScalar ? node.asString() : null;
    }

    private static BadConfiguration odd(Path file, String name) {
        return new BadConfiguration(
                file,
                name
                        + " must be text, a whole number, true, false, a list of these without"
                        + " commas, or { file = \"…\" }");
    }

    void refuseOpenSecrets() {
        for (var each : values.entrySet()) {
            if (!Known.isSecret(each.getKey())) continue;
            var from = each.getValue().from();
            var holder = from == null ? path : from;
            if (isOpen(holder)) {
                throw new BadConfiguration(
                        path,
                        "other users can read %s, which contains %s; run 'chmod 600 %s'"
                                .formatted(holder, each.getKey(), holder));
            }
        }
    }

    private static boolean isOpen(Path file) {
        try {
            var rights = Files.getPosixFilePermissions(file);
            return rights.contains(PosixFilePermission.OTHERS_READ);
        } catch (UnsupportedOperationException _) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }
}
