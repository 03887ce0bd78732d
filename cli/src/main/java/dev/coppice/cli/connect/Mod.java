package dev.coppice.cli.connect;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;

/**
 * Our mod of Claude Code, a plugin that asks Coppice before a subagent starts. Its files are in the
 * data directory; the settings of the person name it as a marketplace with one plugin.
 */
record Mod(Path directory) {
    private static final String MARKETPLACES = "extraKnownMarketplaces";
    private static final String PLUGINS = "enabledPlugins";
    private static final String MARKETPLACE = "coppice-local";
    private static final String PLUGIN = "coppice@coppice-local";
    private static final Map<String, String> FILES =
            Map.of(
                    "plugin.json", ".claude-plugin/plugin.json",
                    "marketplace.json", ".claude-plugin/marketplace.json",
                    "hooks.json", "hooks/hooks.json",
                    "register.js", "hooks/register.js");

    /** Writes the files, which hold a token: only their owner reads them. */
    void write(String address, String token, String unreachable) {
        try {
            delete();
            Files.createDirectories(
                    directory,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            for (var file : FILES.entrySet()) {
                var to = directory.resolve(file.getValue());
                Files.createDirectories(to.getParent());
                var text =
                        resource(file.getKey())
                                .replace("@ADDRESS@", address)
                                .replace("@TOKEN@", token)
                                .replace("@UNREACHABLE@", unreachable);
                Files.writeString(to, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String name) throws IOException {
        try (var in = Mod.class.getResourceAsStream("mod/" + name)) {
            var bytes = Objects.requireNonNull(in, name).readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    void delete() {
        if (!Files.isDirectory(directory)) return;
        try (var all = Files.walk(directory)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void add(ObjectNode settings) {
        var source = settings.withObject("/" + MARKETPLACES).putObject(MARKETPLACE);
        source.putObject("source")
                .put("source", "directory")
                .put("path", directory.toAbsolutePath().toString());
        settings.withObject("/" + PLUGINS).put(PLUGIN, true);
    }

    static void remove(ObjectNode settings) {
        remove(settings, MARKETPLACES, MARKETPLACE);
        remove(settings, PLUGINS, PLUGIN);
    }

    private static void remove(ObjectNode settings, String field, String name) {
        if (!(settings.get(field) instanceof ObjectNode object)) return;
        object.remove(name);
        if (object.isEmpty()) settings.remove(field);
    }

    static boolean isIn(ObjectNode settings) {
        return settings.path(PLUGINS).has(PLUGIN);
    }
}
