package dev.coppice.runner.process;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What starting and finding processes on this machine takes. */
public record Machine(Containment containment, Census census, Supervisor supervisor, String boot) {

    /** Looks round once; {@code directory} is where the runner keeps its files. */
    public static Machine here(Path directory, String wanted) {
        Native.adoptOrphans();
        var containment = Containment.best(directory, wanted);
        containment.delegate();
        return new Machine(containment, new Census(), Supervisor.written(directory), bootId());
    }

    /** Only looks, and leaves nothing behind; for whoever starts no agents here. */
    public static Machine looked(Path directory, String wanted) {
        return new Machine(
                Containment.looked(directory, wanted),
                new Census(),
                Supervisor.looked(directory),
                bootId());
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
