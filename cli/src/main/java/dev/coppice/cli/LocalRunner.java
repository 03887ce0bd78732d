package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Console;
import dev.coppice.client.Trust;
import dev.coppice.runner.LocalCoordinator;
import dev.coppice.runner.Runner;
import dev.coppice.runner.RunnerSettings;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Starts a runner on this machine, for 'up' and 'runner'. */
final class LocalRunner {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([kmgt]?)b?");

    private LocalRunner() {}

    /**
     * The directory of a runner, the tags that its invitation asked for, and its coordinator if
     * that is on this machine.
     */
    record Place(
            Path directory, @Nullable String tags, @Nullable LocalCoordinator localCoordinator) {}

    /** The coordinator of a runner, the runner's token, and the certificates that it accepts. */
    record Target(URI coordinator, String token, Trust trust) {}

    static Runner start(Target target, Place place, Args args, Console console) {
        var asked = args.value("tags");
        var tags = asked == null ? place.tags() : asked;
        var containment = console.env("COPPICE_CONTAINMENT");
        var commands = console.env("COPPICE_HOME");
        var settings =
                new RunnerSettings(
                        target.coordinator(),
                        target.token(),
                        target.trust(),
                        place.directory().toAbsolutePath().normalize(),
                        args.value("profile", "local"),
                        tags == null ? List.of() : List.of(tags.split(",", -1)),
                        capacity(args.value("capacity")),
                        archiveMax(console.env("COPPICE_ARCHIVE_MAX")),
                        commands == null ? null : Path.of(commands, "bin"),
                        containment == null ? "auto" : containment,
                        place.localCoordinator());
        var runner = new Runner(settings);
        runner.start();
        return runner;
    }

    /** The size limit of the archive of a directory, such as 500m or 2g, in bytes. */
    private static long archiveMax(@Nullable String text) {
        if (text == null) return RunnerSettings.ARCHIVE_BYTES_DEFAULT;
        var found = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (found.matches()) {
            int power = found.group(2).isEmpty() ? 0 : 1 + "kmgt".indexOf(found.group(2));
            long unit = 1L << (10 * power);
            return Math.multiplyExact(Long.parseLong(found.group(1)), unit);
        }
        throw new Args.Invalid(
                "COPPICE_ARCHIVE_MAX is '%s'; it must be a size such as 500m or 2g"
                        .formatted(text));
    }

    private static int capacity(@Nullable String text) {
        if (text == null) return 64;
        try {
            int capacity = Integer.parseInt(text);
            if (capacity > 0) return capacity;
        } catch (NumberFormatException _) {
            // Reported below, like numbers that are too small.
        }
        throw new Args.Invalid(
                "--capacity is '%s'; it must be a whole number from 1".formatted(text));
    }
}
