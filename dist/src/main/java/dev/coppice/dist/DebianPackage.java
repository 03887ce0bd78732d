package dev.coppice.dist;

import dev.coppice.cli.machine.UnitCommand;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A package of Debian with the program, its manual, its completions and its unit of systemd. */
final class DebianPackage {
    private static final Path TOOL = Path.of("/usr/bin/dpkg-deb");
    private static final Path PROGRAM = Path.of("usr/lib/coppice");

    private final Path root;
    private final String version;
    private final Instant time;
    private final Path place;

    DebianPackage(Path root, String version, Instant time) throws IOException {
        this.root = root;
        this.version = version;
        this.time = time;
        // Below the temporary directory, which only its owner may enter: this one becomes the root.
        this.place = Files.createTempDirectory("coppice-deb").resolve("root");
        Files.createDirectories(place);
        Trees.executable(place);
    }

    /** Builds it where dpkg-deb is installed; empty elsewhere. */
    Optional<Path> write(String platform, Path script, Path to)
            throws IOException, InterruptedException {
        if (!Files.isExecutable(TOOL)) return Optional.empty();
        var architecture = platform.endsWith("x64") ? "amd64" : "arm64";
        tree(root, place.resolve(PROGRAM));
        links();
        texts(architecture, script);
        Trees.touch(place, time);
        var file = to.resolve("coppice_%s_%s.deb".formatted(version, architecture));
        build(file);
        return Optional.of(file);
    }

    private void build(Path file) throws IOException, InterruptedException {
        var line =
                List.of(
                        TOOL.toString(),
                        "--root-owner-group",
                        "-Zgzip",
                        "--build",
                        place.toString(),
                        file.toString());
        var builder = new ProcessBuilder(line).inheritIO();
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("SOURCE_DATE_EPOCH", Long.toString(time.getEpochSecond()));
        int exit = builder.start().waitFor();
        if (exit != 0) throw new IOException("dpkg-deb ended with " + exit);
    }

    private static void tree(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (var each : all.toList()) {
                var other = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectories(other);
                } else {
                    Files.copy(each, other, LinkOption.NOFOLLOW_LINKS);
                    boolean isLink = Files.isSymbolicLink(each);
                    if (!isLink && Files.isExecutable(each)) Trees.executable(other);
                }
            }
        }
    }

    /** Commands, manual pages and completions, where Debian looks for them. */
    private void links() throws IOException {
        link("bin", "usr/bin");
        link("share/man/man1", "usr/share/man/man1");
        link("share/bash-completion/completions", "usr/share/bash-completion/completions");
        link("share/zsh/site-functions", "usr/share/zsh/vendor-completions");
        link("share/fish/vendor_completions.d", "usr/share/fish/vendor_completions.d");
    }

    private void link(String from, String to) throws IOException {
        var there = Files.createDirectories(place.resolve(to));
        try (var all = Files.newDirectoryStream(root.resolve(from))) {
            for (var each : all) {
                var name = each.getFileName().toString();
                Files.createSymbolicLink(
                        there.resolve(name), Path.of("/", PROGRAM.toString(), from, name));
            }
        }
    }

    private void texts(String architecture, Path script) throws IOException {
        var about = Files.createDirectories(place.resolve("usr/share/doc/coppice"));
        Files.copy(root.resolve("share/doc/coppice/LICENSE"), about.resolve("copyright"));
        Trees.text(
                place.resolve("usr/lib/systemd/system/coppice.service"),
                UnitCommand.packaged(Path.of("/usr/bin/coppice")));
        Trees.text(
                place.resolve("DEBIAN/control"),
                """
                Package: coppice
                Version: %s
                Architecture: %s
                Maintainer: The Coppice authors <coppice@coppice.dev>
                Section: devel
                Priority: optional
                Depends: libc6 (>= 2.17)
                Recommends: git, perl
                Description: control plane for trees of agent sessions
                 Agents start agents, and Coppice runs them, knows who is whose child,
                 wakes a parent when its child ends, and can stop, remove and regrow a
                 whole tree. The package holds the Java that it runs on.
                """
                        .formatted(version, architecture));
        for (var name : List.of("postinst", "prerm", "postrm")) {
            Trees.program(
                    place.resolve("DEBIAN").resolve(name),
                    Files.readString(script.resolveSibling("deb-" + name)));
        }
    }
}
