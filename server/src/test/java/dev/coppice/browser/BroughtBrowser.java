package dev.coppice.browser;

import dev.coppice.scene.Temporary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Chromium to test with: that of {@code COPPICE_CHROMIUM} or of this machine; else Debian's,
 * which apt downloads and this class unpacks into the user's cache. Nothing is installed, and no
 * rights of an administrator are needed.
 */
final class BroughtBrowser {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome");
    private static final int DOWNLOAD_SECONDS_MAX = 300;
    private static final String DONE = "unpacked";

    /** Downloads what is missing on this machine, and unpacks it without installing it. */
    private static final String BRING =
            """
            set -e
            mkdir -p "$1/apt/archives/partial" "$1/apt/lists/partial" "$1/root"
            apt() {
              apt-get -qq -y -o Dir::Cache="$home/apt" -o Dir::Cache::archives=archives \\
                -o Dir::State::lists="$home/apt/lists" -o Debug::NoLocking=1 \\
                -o APT::Sandbox::User= "$@"
            }
            home=$1
            apt update
            apt --no-install-recommends --download-only install chromium fonts-dejavu-core
            for package in "$1"/apt/archives/*.deb; do dpkg-deb -x "$package" "$1/root"; done
            rm -rf "$1/apt"
            touch "$1/unpacked"
            """;

    /** The program, and the environment that it needs. */
    record Program(Path path, Map<String, String> environment) {}

    /** There is no browser, and none could be brought. */
    static final class Missing extends IllegalStateException {
        private static final long serialVersionUID = 1;

        Missing(String why) {
            super(why);
        }
    }

    private BroughtBrowser() {}

    static synchronized Program find() {
        var chosen = System.getenv("COPPICE_CHROMIUM");
        if (chosen != null) return new Program(Path.of(chosen), Map.of());
        return onThisMachine().orElseGet(BroughtBrowser::brought);
    }

    private static Optional<Program> onThisMachine() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .map(path -> new Program(path, Map.of()));
    }

    private static Program brought() {
        var home = cache();
        try {
            if (!Files.exists(home.resolve(DONE))) bring(home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var root = home.resolve("root");
        var libraries = root.resolve("usr/lib").resolve(triple());
        return new Program(
                root.resolve("usr/lib/chromium/chromium"),
                Map.of(
                        "LD_LIBRARY_PATH",
                        libraries + ":" + libraries.resolve("pulseaudio"),
                        "FONTCONFIG_PATH",
                        fonts(root).toString()));
    }

    private static Path cache() {
        var set = System.getenv("XDG_CACHE_HOME");
        var base = set == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
        return base.resolve("coppice/chromium");
    }

    private static Path fonts(Path root) {
        var installed = Path.of("/etc/fonts");
        return Files.exists(installed) ? installed : root.resolve("etc/fonts");
    }

    private static String triple() {
        return System.getProperty("os.arch").equals("aarch64")
                ? "aarch64-linux-gnu"
                : "x86_64-linux-gnu";
    }

    private static void bring(Path home) throws IOException {
        Files.createDirectories(home);
        var said = Temporary.directory("coppice-chromium").resolve("said");
        var command = new ArrayList<>(List.of("sh", "-c", BRING, "bring", home.toString()));
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        try {
            boolean isOver = process.waitFor(DOWNLOAD_SECONDS_MAX, TimeUnit.SECONDS);
            if (isOver && process.exitValue() == 0) return;
            process.destroyForcibly();
            throw new Missing(
                    "there is no Chromium, and apt brings none: " + Files.readString(said));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }
}
