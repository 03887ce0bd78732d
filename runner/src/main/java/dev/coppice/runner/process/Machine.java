package dev.coppice.runner.process;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** What starting and finding processes on this machine takes. */
public record Machine(Containment containment, Census census, Path script, String boot) {

    /** Looks round once; {@code directory} is where the runner keeps its files. */
    public static Machine here(Path directory, String wanted) {
        Native.adoptOrphans();
        var containment = Containment.best(directory, wanted);
        containment.delegate();
        return new Machine(containment, new Census(), script(directory), bootId());
    }

    /** Only looks, and leaves nothing behind; for whoever starts no agents here. */
    public static Machine looked(Path directory, String wanted) {
        return new Machine(
                Containment.looked(directory, wanted),
                new Census(),
                directory.resolve("supervise.sh"),
                bootId());
    }

    private static Path script(Path directory) {
        var file = directory.resolve("supervise.sh");
        try (InputStream in =
                Objects.requireNonNull(Machine.class.getResourceAsStream("supervise.sh"))) {
            Files.createDirectories(directory);
            Files.write(file, in.readAllBytes());
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }

    /** Another one after each start of the machine; nothing where nobody counts them. */
    private static String bootId() {
        var file = Path.of("/proc/sys/kernel/random/boot_id");
        try {
            return Files.isReadable(file) ? Files.readString(file).strip() : "";
        } catch (IOException _) {
            return "";
        }
    }

    /** A session of its own, so that Ctrl-C in the runner's terminal does not reach the agents. */
    List<String> detached() {
        var setsid = Path.of("/usr/bin/setsid");
        return Files.isExecutable(setsid) ? List.of(setsid.toString()) : List.of();
    }

    Crew crew(String run, long supervisor, @Nullable StopSignal polite) {
        return new Crew(run, supervisor, polite, this);
    }

    /** All processes of a run that nobody here has started. */
    public Crew strays(String run) {
        return crew(run, 0, null);
    }
}
