package dev.coppice.cli;

import dev.coppice.runner.Neighbour;
import dev.coppice.runner.Runner;
import dev.coppice.runner.RunnerSettings;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** A runner on this machine, as 'up' and 'runner' start one. */
final class LocalRunner {
    private LocalRunner() {}

    /** Where a runner works, and the coordinator beside it, if that is on this machine. */
    record Place(Path directory, @Nullable Neighbour neighbour) {}

    static Runner start(URI coordinator, String token, Place place, Args args, Console console) {
        var tags = args.value("tags");
        var containment = console.env("COPPICE_CONTAINMENT");
        var commands = console.env("COPPICE_HOME");
        var settings =
                new RunnerSettings(
                        coordinator,
                        token,
                        place.directory().toAbsolutePath().normalize(),
                        args.value("profile", "local"),
                        tags == null ? List.of() : List.of(tags.split(",", -1)),
                        capacity(args.value("capacity")),
                        commands == null ? null : Path.of(commands, "bin"),
                        containment == null ? "auto" : containment,
                        place.neighbour());
        var runner = new Runner(settings);
        runner.start();
        return runner;
    }

    private static int capacity(@Nullable String said) {
        if (said == null) return 64;
        try {
            int capacity = Integer.parseInt(said);
            if (capacity > 0) return capacity;
        } catch (NumberFormatException _) {
            // Said below, together with numbers too small.
        }
        throw new Args.Wrong(
                "--capacity is '%s'; it must be a whole number from 1".formatted(said));
    }
}
