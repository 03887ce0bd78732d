package dev.coppice.cli.config;

import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where settings come from: a flag beats the environment, that beats the configuration file, and
 * that beats the default. One file is read: the one that is named, else the one in the data
 * directory, else the machine's.
 */
public final class Configuration {
    static final String NAME = "config.toml";
    private static final Path MACHINE = Path.of("/etc/coppice", NAME);

    private Configuration() {}

    /** The console with the settings of the file, and the console itself if there is none. */
    public static Console with(Console console, @Nullable String option, @Nullable String data) {
        var file = file(console, option, data);
        if (file == null) return console;
        var all = new HashMap<String, String>();
        settings(file, console, data).forEach((name, value) -> all.put(name, value.text()));
        console.environment()
                .forEach((name, value) -> {
                    if (!value.isEmpty()) all.put(name, value);
                });
        return console.with(all);
    }

    /** The settings in the file. One in the data directory cannot name the data directory. */
    static Map<String, ConfigFile.Value> settings(
            Path file, Console console, @Nullable String data) {
        var values = ConfigFile.read(file).values();
        boolean isInside = file.equals(places(console, data).getFirst());
        if (isInside && values.containsKey("COPPICE_DATA")) {
            throw new BadConfiguration(
                    file,
                    "COPPICE_DATA cannot be set in the data directory; use another file with"
                            + " --config, or the environment");
        }
        return values;
    }

    /** The file that is read; null if there is none. A file that is named must exist. */
    static @Nullable Path file(Console console, @Nullable String option, @Nullable String data) {
        var named = named(console, option);
        if (named != null) return named;
        return places(console, data).stream().filter(Files::isReadable).findFirst().orElse(null);
    }

    private static @Nullable Path named(Console console, @Nullable String option) {
        var named = option == null ? console.env("COPPICE_CONFIG") : option;
        return named == null ? null : console.file(named);
    }

    /** The file that 'config set' writes. */
    static Path toWrite(Console console, @Nullable String option, @Nullable String data) {
        var named = named(console, option);
        return named == null ? places(console, data).getFirst() : named;
    }

    private static List<Path> places(Console console, @Nullable String data) {
        return List.of(Connection.data(data, console).resolve(NAME), MACHINE);
    }
}
