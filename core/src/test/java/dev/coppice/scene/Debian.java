package dev.coppice.scene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Programs of Debian to test with: those of this machine, else packages that apt downloads and this
 * class unpacks into the user's cache. Nothing is installed, and no rights of an administrator are
 * needed.
 */
public final class Debian {
    private static final int DOWNLOAD_SECONDS_MAX = 300;
    private static final String DONE = "unpacked";

    /** Downloads what is missing on this machine, and unpacks it without installing it. */
    private static final String BRING =
            """
            set -e
            home=$1
            shift
            mkdir -p "$home/apt/archives/partial" "$home/apt/lists/partial" "$home/root"
            apt() {
              apt-get -qq -y -o Dir::Cache="$home/apt" -o Dir::Cache::archives=archives \\
                -o Dir::State::lists="$home/apt/lists" -o Debug::NoLocking=1 \\
                -o APT::Sandbox::User= "$@"
            }
            apt update
            apt --no-install-recommends --download-only install "$@"
            for package in "$home"/apt/archives/*.deb; do dpkg-deb -x "$package" "$home/root"; done
            rm -rf "$home/apt"
            touch "$home/unpacked"
            """;

    /** What was looked for is not on this machine, and was not to be had. */
    public static final class Missing extends IllegalStateException {
        private static final long serialVersionUID = 1;

        Missing(String why) {
            super(why);
        }
    }

    private Debian() {}

    /** A program of this machine by its name. */
    public static Optional<Path> onThisMachine(String program) {
        var places = Stream.of(System.getenv("PATH").split(":"));
        return Stream.concat(places, Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The root below which these packages, and what they need, are unpacked. */
    public static synchronized Path unpacked(String name, List<String> packages) {
        var home = cache().resolve(name);
        try {
            if (!Files.exists(home.resolve(DONE))) bring(home, packages);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return home.resolve("root");
    }

    /** The directory of the libraries that programs of such a root need. */
    public static Path libraries(Path root) {
        boolean isArm = System.getProperty("os.arch").equals("aarch64");
        return root.resolve("usr/lib").resolve(isArm ? "aarch64-linux-gnu" : "x86_64-linux-gnu");
    }

    /** Where what tests bring is kept between two runs. */
    public static Path cache() {
        var set = System.getenv("XDG_CACHE_HOME");
        var base = set == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
        return base.resolve("coppice");
    }

    private static void bring(Path home, List<String> packages) throws IOException {
        Files.createDirectories(home);
        var said = Temporary.directory("coppice-debian").resolve("said");
        var command = new ArrayList<>(List.of("sh", "-c", BRING, "bring", home.toString()));
        command.addAll(packages);
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
                    "no %s, and apt brings none: %s"
                            .formatted(packages.getFirst(), Files.readString(said)));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }
}
