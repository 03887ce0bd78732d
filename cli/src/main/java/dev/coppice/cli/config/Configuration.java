package dev.coppice.cli.config;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Where settings come from: a flag beats the environment, that beats the configuration file, and
 * that beats the default. One file is read: the one that is named, else the one in the data
 * directory, else the machine's.
 */
public final class Configuration {
    static final String NAME = "config.toml";

    /** The file of this machine, which a service of the system reads. */
    public static final Path MACHINE = Path.of("/etc/coppice", NAME);

    /** This name of a file means that no file is read. */
    private static final Path NO_FILE = Path.of("/dev/null");

    private Configuration() {}

    /** The settings that name a coordinator; one that is chosen by name has its own. */
    private static final Set<String> COORDINATOR =
            Set.of("COPPICE_URL", "COPPICE_TOKEN", "COPPICE_CA");

    /** The console with the settings of the file, and the console itself if there is none. */
    public static Console with(Console console, Command.Reads reads, Args args) {
        var data = args.value("data");
        var file = reads == Command.Reads.NONE ? null : file(console, args.value("config"), data);
        // A service that cannot read its settings must not start without them.
        boolean isOurs = reads == Command.Reads.ALL;
        if (file == null || (!isOurs && isWhole(console))) return console;
        boolean isChosen = args.has("context") || CoordinatorPlace.chosen(console) != null;
        Predicate<String> wanted = name -> isOurs || Known.isOfCaller(name);
        var all = new HashMap<String, String>();
        settings(file, console, data, wanted)
                .forEach((name, value) -> {
                    if (!isChosen || !COORDINATOR.contains(name)) all.put(name, value.text());
                });
        console.environment()
                .forEach((name, value) -> {
                    if (value.isEmpty()) all.putIfAbsent(name, value);
                    else all.put(name, value);
                });
        return console.with(all);
    }

    /** An agent has both; it must not depend on a file of its user. */
    private static boolean isWhole(Console console) {
        return console.env("COPPICE_URL") != null && console.env("COPPICE_TOKEN") != null;
    }

    /** The settings in the file. One in the data directory cannot name the data directory. */
    static Map<String, ConfigFile.Value> settings(
            Path file, Console console, @Nullable String data, Predicate<String> wanted) {
        var values = ConfigFile.read(file, wanted);
        refuseDirectory(file, values.values(), console, data);
        return values.values();
    }

    /** Throws if a file in the data directory names the data directory. */
    static void refuseDirectory(
            Path file,
            Map<String, ConfigFile.Value> values,
            Console console,
            @Nullable String data) {
        boolean isInside = file.equals(places(console, data).getFirst());
        if (isInside && values.containsKey("COPPICE_DATA")) {
            throw new BadConfiguration(
                    file,
                    "COPPICE_DATA cannot be set in the data directory; use another file with"
                            + " --config, or the environment");
        }
    }

    /** The file that is read; null if there is none. A file that is named must exist. */
    static @Nullable Path file(Console console, @Nullable String option, @Nullable String data) {
        var named = named(console, option);
        if (named != null) return named.equals(NO_FILE) ? null : named;
        return places(console, data).stream()
                .filter(file -> !Files.notExists(file))
                .filter(file -> Files.isReadable(file) || !file.equals(MACHINE))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Path named(Console console, @Nullable String option) {
        var named = option == null ? console.env("COPPICE_CONFIG") : option;
        return named == null ? null : console.file(named);
    }

    /** The file that 'config set' writes. */
    static Path toWrite(Console console, @Nullable String option, @Nullable String data) {
        var named = named(console, option);
        if (NO_FILE.equals(named)) throw new Args.Invalid(NO_FILE + " stands for no file");
        if (named != null) return named;
        var there = file(console, null, data);
        return there == null ? places(console, data).getFirst() : there;
    }

    private static List<Path> places(Console console, @Nullable String data) {
        return List.of(CoordinatorPlace.data(data, console).resolve(NAME), MACHINE);
    }
}
