package dev.coppice.cli.engine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The directory in which the address, the token and the certificates of the coordinator are: a data
 * directory, or that of a context.
 *
 * @param isAlone true if an option named it, so that the environment does not count
 */
public record CoordinatorPlace(Path directory, boolean isAlone) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** A flag beats the environment, that beats the context in use, and that the default. */
    public static CoordinatorPlace of(Args args, Console console) {
        if (args.has(Option.DATA)) return new CoordinatorPlace(data(args, console), true);
        var option = args.value("context");
        if (option != null) return new CoordinatorPlace(existing(option, console), true);
        // An address without a token goes with that of the data directory, never with a context's.
        var chosen = console.env("COPPICE_URL") == null ? chosen(console) : null;
        if (chosen != null) return new CoordinatorPlace(existing(chosen, console), false);
        return new CoordinatorPlace(data(args, console), false);
    }

    /** The context that the environment names, else the one in use; null if there is none. */
    public static @Nullable String chosen(Console console) {
        var set = console.env("COPPICE_CONTEXT");
        if (set != null) return set;
        return console.env("COPPICE_DATA") == null ? inUse(console) : null;
    }

    /** The data directory. */
    public static Path data(Args args, Console console) {
        return data(args.value("data"), console);
    }

    /** The data directory; the option is null if it was not given. */
    public static Path data(@Nullable String option, Console console) {
        var set = option == null ? console.env("COPPICE_DATA") : option;
        return set == null ? home(console).resolve(".coppice") : Path.of(set);
    }

    /** As the shell expands ~. The JDK's user.home ignores HOME. */
    private static Path home(Console console) {
        var home = console.env("HOME");
        return Path.of(home == null ? System.getProperty("user.home") : home);
    }

    /** The directory with the contexts of the user. */
    public static Path contexts(Console console) {
        return configuration(console).resolve("coppice/contexts");
    }

    /** The file with the name of the context in use. */
    public static Path used(Console console) {
        return configuration(console).resolve("coppice/context");
    }

    /** The directory in which programs of the user keep their configuration. */
    public static Path configuration(Console console) {
        var set = console.env("XDG_CONFIG_HOME");
        return set == null ? home(console).resolve(".config") : Path.of(set);
    }

    /** The context in use; null if there is none. */
    public static @Nullable String inUse(Console console) {
        var file = used(console);
        try {
            var name = Files.isReadable(file) ? Files.readString(file).strip() : "";
            return name.isEmpty() ? null : name;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    /** The directory of a context, which may not exist. A name is no path. */
    public static Path named(String name, Console console) {
        if (NAME.matcher(name).matches()) return contexts(console).resolve(name);
        throw new Args.Invalid(
                "'%s' is no name for a context: use letters, digits, '.', '_' and '-'"
                        .formatted(name));
    }

    private static Path existing(String name, Console console) {
        var directory = named(name, console);
        if (Files.exists(directory.resolve("url"))) return directory;
        throw new Args.Invalid(
                "there is no context '%s'; 'coppice context list' shows them".formatted(name));
    }
}
