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
import java.util.stream.Stream;

/**
 * The script that starts each agent, waits for it, and outlives the runner. The one in Perl adopts
 * the orphans below it and stays until none is left; the one in shell cannot do that.
 */
public record Supervisor(Path directory, @Nullable Perl perl) {
    /** Perl's absolute path, because an agent may have another PATH, and the number of prctl. */
    record Perl(String program, String prctl) {}

    private static final String SHELL = "supervise.sh";
    private static final String PERL = "supervise.pl";

    /** The number of the system call prctl by processor, because Perl has no name for it. */
    private static final Map<String, String> PRCTL =
            Map.of("amd64", "157", "aarch64", "167", "riscv64", "167");

    /** Perl loads the modules named here before any script, the supervisor included. */
    private static final String PERL_OPTIONS = "PERL5OPT";

    /** Tests if Perl can make itself a subreaper; writes nothing. */
    static Supervisor probe(Path directory) {
        var number = Native.isAvailable() ? PRCTL.get(System.getProperty("os.arch")) : null;
        var program = program();
        if (number == null || program == null) return new Supervisor(directory, null);
        var tried = "syscall(shift() + 0, 36, 1, 0, 0, 0) == 0 or exit 1";
        boolean works = Containments.runs(List.of(program, "-e", tried, "--", number));
        return new Supervisor(directory, works ? new Perl(program, number) : null);
    }

    private static @Nullable String program() {
        return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(":", -1))
                .filter(place -> place.startsWith("/"))
                .map(place -> Path.of(place).resolve("perl"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse(null);
    }

    /** Like {@link #probe}, but also writes the scripts into the directory. */
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
        return probe(directory);
    }

    /** True if all processes that an agent starts stay below its supervisor, whatever they do. */
    public boolean adopts() {
        return perl != null;
    }

    /** Returns the prefix that supervises the command of an agent with this environment. */
    List<String> beside(Path run, Map<String, String> environment) {
        return perl == null || environment.containsKey(PERL_OPTIONS)
                ? List.of("/bin/sh", directory.resolve(SHELL).toString(), run.toString())
                : List.of(
                        perl.program(),
                        directory.resolve(PERL).toString(),
                        perl.prctl(),
                        run.toString());
    }
}
