package dev.coppice.runner.process;

import dev.coppice.wire.fleet.ClaimedRun;

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
 * The script that starts each agent, waits for it, and outlives the runner. The Perl script can
 * start ahead of its agent, adopts the orphans below it, and stays until none is left. The shell
 * script does neither.
 */
public record Supervisor(Path directory, @Nullable Perl perl) {
    /** The order to a supervisor: the command, its directory, its environment and its limits. */
    public record Order(
            String run,
            List<String> command,
            Path workplace,
            Map<String, String> environment,
            @Nullable StopSignal polite,
            ClaimedRun.Share share) {
        public Order {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
            for (var word : command) refuseNul("a word of the command", word);
            environment.forEach((name, value) -> refuseNul("the variable " + name, name + value));
        }

        /** The kernel passes words and variables as texts that end with NUL. */
        private static void refuseNul(String what, String text) {
            if (text.indexOf('\0') < 0) return;
            throw new IllegalArgumentException(what + " contains the character NUL");
        }
    }

    /** Perl's absolute path, and the numbers of its system calls. */
    record Perl(String program, String numbers) {}

    private static final String SHELL = "supervise.sh";
    private static final String PERL = "supervise.pl";

    /** The numbers of prctl, setsid and prlimit by processor: Perl has no names for them. */
    private static final Map<String, String> CALLS =
            Map.of("amd64", "157,112,302", "aarch64", "167,157,261", "riscv64", "167,157,261");

    /** A script that makes itself a subreaper and reads its limit on file sizes. */
    private static final String TRIAL =
            """
            my ($prctl, undef, $prlimit) = map { $_ + 0 } split(/,/, shift);
            my $limit = ' ' x 16;
            syscall($prctl, 36, 1, 0, 0, 0) == 0 or exit 1;
            syscall($prlimit, 0, 1, 0, $limit) == 0 or exit 1;
            """;

    /** Tests if Perl can make these system calls; writes nothing. */
    static Supervisor probe(Path directory) {
        var calls = Native.isAvailable() ? CALLS.get(System.getProperty("os.arch")) : null;
        var program = program();
        if (calls == null || program == null) return new Supervisor(directory, null);
        boolean works = Containments.runs(List.of(program, "-e", TRIAL, "--", calls));
        var numbers = calls + "," + Mark.SPARE_BYTES;
        return new Supervisor(directory, works ? new Perl(program, numbers) : null);
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

    /**
     * True if all processes that an agent starts stay below its supervisor, whatever they do, and
     * if supervisors can wait for their orders.
     */
    public boolean adopts() {
        return perl != null;
    }

    /** Returns the command line of a supervisor that waits for its order. */
    List<String> waiting(Containment.Entry entry) {
        if (perl == null) throw new IllegalStateException("no Perl");
        var group = entry.group();
        return Stream.concat(
                        Stream.of(
                                perl.program(),
                                directory.resolve(PERL).toString(),
                                perl.numbers(),
                                group == null ? "" : group.toString()),
                        entry.wrapper().stream())
                .toList();
    }

    /** Returns the prefix that supervises a command without Perl. */
    List<String> beside(Path run) {
        return List.of("/bin/sh", directory.resolve(SHELL).toString(), run.toString());
    }
}
