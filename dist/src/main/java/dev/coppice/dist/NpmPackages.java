package dev.coppice.dist;

import dev.coppice.wire.Json;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Packages for npm: one with the program for this platform, which works alone, and a small one that
 * brings the program for whatever platform it is installed on.
 */
final class NpmPackages {
    /** The platforms whose packages the small one names. */
    private static final List<String> PLATFORMS =
            List.of("linux-x64", "linux-arm64", "macos-x64", "macos-arm64");

    private final Path root;
    private final String version;
    private final Instant time;

    NpmPackages(Path root, String version, Instant time) {
        this.root = root;
        this.version = version;
        this.time = time;
    }

    /** Writes both into a directory. */
    List<Path> write(String platform, String script, Path to) throws IOException {
        var whole = to.resolve("coppice-%s-%s.tgz".formatted(platform, version));
        var description = root.resolve("package.json");
        Trees.text(description, Json.pretty(ofPlatform(platform)) + "\n");
        Tarball.write(root, "package", time, whole);
        Files.delete(description);
        var small = Files.createTempDirectory("coppice-npm");
        Trees.program(small.resolve("bin/coppice"), script);
        Trees.text(small.resolve("package.json"), Json.pretty(ofAll()) + "\n");
        Files.copy(root.resolve("share/doc/coppice/README.md"), small.resolve("README.md"));
        var brought = to.resolve("coppice-npm-%s.tgz".formatted(version));
        Tarball.write(small, "package", time, brought);
        return List.of(whole, brought);
    }

    private ObjectNode common(String name) {
        var text = Json.object().put("name", name).put("version", version);
        text.put("description", "The control plane for trees of agent sessions");
        text.put("license", "Apache-2.0");
        return text;
    }

    private ObjectNode ofPlatform(String platform) throws IOException {
        var text = common("coppice-" + platform);
        int cut = platform.indexOf('-');
        text.putArray("os").add(platform.substring(0, cut).replace("macos", "darwin"));
        text.putArray("cpu").add(platform.substring(cut + 1));
        commands(text);
        return text;
    }

    private ObjectNode ofAll() throws IOException {
        var text = common("coppice");
        commands(text);
        var platforms = text.putObject("optionalDependencies");
        for (var each : PLATFORMS) platforms.put("coppice-" + each, version);
        return text;
    }

    /** All commands are one script: npm leaves links out of a package. */
    private void commands(ObjectNode text) throws IOException {
        var commands = text.putObject("bin");
        try (var all = Files.list(root.resolve("bin"))) {
            all.map(each -> each.getFileName().toString())
                    .sorted()
                    .forEach(name -> commands.put(name, "bin/coppice"));
        }
    }
}
