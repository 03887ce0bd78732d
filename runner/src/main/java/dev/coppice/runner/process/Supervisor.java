package dev.coppice.runner.process;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The program that stands beside each agent and outlives the runner. Where Perl is there it adopts
 * the orphans below it and stays until none is left; a shell cannot do that.
 */
public record Supervisor(Path directory, @Nullable String prctl) {
    private static final String SHELL = "supervise.sh";
    private static final String PERL = "supervise.pl";

    /** The number of the system call, which no name stands for in Perl. */
    private static final Map<String, String> PRCTL =
            Map.of("amd64", "157", "aarch64", "167", "riscv64", "167");

    /** Would have Perl load modules before the script, for which its agent may not be meant. */
    private static final String PERL_OPTIONS = "PERL5OPT";

    /** Finds out by trying, and leaves nothing behind. */
    static Supervisor looked(Path directory) {
        var number = Native.isThere() ? PRCTL.get(System.getProperty("os.arch")) : null;
        var tried = "syscall(shift() + 0, 36, 1, 0, 0, 0) == 0 or exit 1";
        boolean works =
                number != null && Containments.runs(List.of("perl", "-e", tried, "--", number));
        return new Supervisor(directory, works ? number : null);
    }

    /** The same, with the scripts written into the directory. */
    static Supervisor written(Path directory) {
        for (var script : List.of(SHELL, PERL)) {
            try (InputStream in =
                    Objects.requireNonNull(Supervisor.class.getResourceAsStream(script))) {
                Files.createDirectories(directory);
                Files.write(directory.resolve(script), in.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException("writing " + directory.resolve(script), e);
            }
        }
        return looked(directory);
    }

    /** Whether what an agent has started stays below its supervisor, whatever it does. */
    public boolean adopts() {
        return prctl != null;
    }

    /** The command line before the agent's own, for an agent with this environment. */
    List<String> beside(Path run, Map<String, String> environment) {
        return prctl == null || environment.containsKey(PERL_OPTIONS)
                ? List.of("/bin/sh", directory.resolve(SHELL).toString(), run.toString())
                : List.of("perl", directory.resolve(PERL).toString(), prctl, run.toString());
    }
}
