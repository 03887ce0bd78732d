package dev.coppice.dist;

import dev.coppice.cli.ManPages;
import dev.coppice.runner.raw.Handles;
import dev.coppice.wire.Release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.ZipFile;

/**
 * Makes the archive of a checkout that is built: a directory that needs nothing on its target, and
 * what installs it. The arguments are the checkout, the directory for what is made, and
 * 'archive-only' to make no packages of other managers.
 */
public final class Dist {
    private final Path checkout;
    private final Path out;
    private final Path jdk = Path.of(System.getProperty("java.home"));
    private final String version = Release.ours().version();
    private final String platform = platform();
    private final Instant time = time();
    private final Path root;

    private Dist(Path checkout, Path out) {
        this.checkout = checkout;
        this.out = out;
        this.root = out.resolve(name());
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        boolean isAll = args.length < 3 || !args[2].equals("archive-only");
        new Dist(Path.of(args[0]).toAbsolutePath(), Path.of(args[1]).toAbsolutePath()).make(isAll);
    }

    private String name() {
        return "coppice-%s-%s".formatted(version, platform);
    }

    private static String platform() {
        var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        var architecture = System.getProperty("os.arch");
        return (system.startsWith("mac") ? "macos" : system)
                + "-"
                + Map.of("amd64", "x64", "x86_64", "x64", "aarch64", "arm64")
                        .getOrDefault(architecture, architecture);
    }

    /** The time of the commit; files of an archive from the same commit have the same time. */
    private static Instant time() {
        var built = Release.ours().built();
        return built == null ? Instant.parse("2026-01-01T00:00:00Z") : Instant.parse(built);
    }

    private void make(boolean isAll) throws IOException, InterruptedException {
        Handles.delete(out);
        Files.createDirectories(root.resolve("lib"));
        var jars = jars();
        say("the jar of the product and its libraries");
        var jar = new ProductJar();
        for (var each : jars) jar.add(each);
        jar.write(root.resolve("lib/coppice.jar"), LocalDateTime.ofInstant(time, ZoneOffset.UTC));
        driver(jars);
        say("the Java that it runs on");
        RuntimeImage.link(jdk, root.resolve("lib/coppice.jar"), root.resolve("lib/java"));
        texts(jars);
        Trees.touch(root, time);
        say("the class caches");
        Caches.make(root);
        Sums.write(root, root.resolve("SHA256SUMS"));
        Trees.touch(root, time);
        say("the archive");
        var archive = out.resolve(name() + ".tar.gz");
        Tarball.write(root, name(), time, archive);
        var made = new ArrayList<>(List.of(archive, out.resolve("install.sh")));
        Files.copy(source("install.sh"), out.resolve("install.sh"));
        if (isAll) made.addAll(packages(archive));
        Sums.write(out, out.resolve("SHA256SUMS"), made);
        System.out.printf(
                Locale.ROOT, "%s, %.1f MB%n", archive, Files.size(archive) / (1024.0 * 1024.0));
    }

    /** Packages of the same tree for npm, Debian and Homebrew. */
    private List<Path> packages(Path archive) throws IOException, InterruptedException {
        say("packages for npm, Debian and Homebrew");
        var made = new ArrayList<Path>();
        var script = Files.readString(source("npm-launcher"));
        made.addAll(new NpmPackages(root, version, time).write(platform, script, out));
        if (platform.startsWith("linux")) {
            var debian = new DebianPackage(root, version, time);
            var file = debian.write(platform, source("deb-postinst"), out);
            file.ifPresentOrElse(made::add, () -> say("no dpkg-deb here, so no package of Debian"));
        }
        var from = System.getenv().getOrDefault("COPPICE_FROM", "https://coppice.dev/dist");
        made.add(Formula.write(version, platform, archive, from, out));
        return made;
    }

    private static void say(String what) {
        System.err.println("  " + what);
    }

    private List<Path> jars() throws IOException {
        var jars = new ArrayList<Path>();
        jars.add(checkout.resolve("cli/target/coppice-cli.jar"));
        try (var all = Files.list(checkout.resolve("cli/target/lib"))) {
            all.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
        }
        return jars;
    }

    /** The native library of the database, which the driver would unpack at each start. */
    private void driver(List<Path> jars) throws IOException {
        var named = System.mapLibraryName("sqlitejdbc");
        var within = "org/sqlite/native/%s/%s".formatted(directoryOfDriver(), named);
        for (var jar : jars) {
            try (var zip = new ZipFile(jar.toFile())) {
                var entry = zip.getEntry(within);
                if (entry == null) continue;
                var to = Files.createDirectories(root.resolve("lib/native")).resolve(named);
                Files.copy(zip.getInputStream(entry), to, StandardCopyOption.REPLACE_EXISTING);
                return;
            }
        }
        throw new IOException("no jar has " + within);
    }

    private static String directoryOfDriver() {
        boolean isMac = System.getProperty("os.name").startsWith("Mac");
        var architecture = System.getProperty("os.arch").replace("amd64", "x86_64");
        return (isMac ? "Mac/" : "Linux/") + architecture;
    }

    private Path source(String script) {
        return checkout.resolve("dist/src/main/sh").resolve(script);
    }

    private void texts(List<Path> jars) throws IOException {
        Trees.program(root.resolve("bin/coppice"), Files.readString(source("coppice")));
        try (var older = Files.newDirectoryStream(checkout.resolve("bin"), "ao-*")) {
            for (var name : older) {
                var link = root.resolve("bin").resolve(name.getFileName());
                Files.createSymbolicLink(link, Path.of("coppice"));
            }
        }
        Files.copy(checkout.resolve("cli/src/main/sh/start.sh"), root.resolve("lib/start.sh"));
        for (var page : ManPages.all().entrySet()) {
            Trees.text(root.resolve("share/man/man1").resolve(page.getKey()), page.getValue());
        }
        for (var file : Completions.FILES.entrySet()) {
            Trees.text(root.resolve(file.getValue()), Completions.script(file.getKey()));
        }
        var about = Files.createDirectories(root.resolve("share/doc/coppice"));
        for (var text : List.of("LICENSE", "NOTICE", "README.md", "CHANGELOG.md")) {
            Files.copy(checkout.resolve(text), about.resolve(text));
        }
        var libraries = Library.of(jars);
        for (var library : libraries) {
            library.writeLicence(about.resolve("licences"), checkout.resolve("LICENSE"));
        }
        Sbom.write(
                about.resolve("sbom.cdx.json"),
                libraries,
                System.getProperty("java.runtime.version"));
    }
}
