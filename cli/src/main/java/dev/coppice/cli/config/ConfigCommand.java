package dev.coppice.cli.config;

import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.OwnerOnly;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Shows settings with their origins, and changes the configuration file. */
public final class ConfigCommand implements Command {
    /** A service of the system reads the machine's file under a user of its own. */
    private static final Set<PosixFilePermission> OF_MACHINE =
            PosixFilePermissions.fromString("rw-r--r--");

    @Override
    public String name() {
        return "config";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Show settings and where they come from, or change the file",
                List.of("list|get|set|unset|path", "[NAME]", "[VALUE]"),
                List.of(Option.of("from-file", "FILE", "set: the value is the content of FILE")),
                """
                A flag beats the environment, that beats the file, and that beats the default.
                The file is config.toml in the data directory, else /etc/coppice/config.toml.
                Settings have the names of docs/settings.md. A coordinator reads them when it
                starts. 'list' hides secrets; keep them in files of their own:

                  coppice config set COPPICE_KEEP_EVENTS 30d
                  coppice config set COPPICE_ALERT_SECRET --from-file /run/secrets/alerts
                """);
    }

    /** A setting, its value if it has one, and what sets it. */
    private record Shows(String name, @Nullable String value, String origin) {}

    @Override
    public Reads reads() {
        return Reads.NONE;
    }

    @Override
    public Exit run(Args args, Console console) {
        var option = args.value("config");
        var data = args.value("data");
        var name = args.wordOrNull(1);
        var verb = args.word(0);
        boolean needsName = !verb.equals("list") && !verb.equals("path");
        if (needsName && name == null) throw new Args.Invalid("NAME is missing");
        if (!needsName && name != null) {
            throw new Args.Invalid("unexpected argument '%s'".formatted(name));
        }
        if (name != null) Known.check(name);
        var given = args.wordOrNull(2);
        if (given != null && !verb.equals("set")) {
            throw new Args.Invalid("unexpected argument '%s'".formatted(given));
        }
        var file = Configuration.file(console, option, data);
        switch (verb) {
            case "list" -> list(shown(console, file, data), args, console);
            case "get" -> {
                return get(name, shown(console, file, data), console);
            }
            case "path" -> {
                var path = file == null ? Configuration.toWrite(console, option, data) : file;
                console.out().println(path);
                if (!Files.exists(path)) console.err().println("coppice: it does not exist");
            }
            default -> change(args, console, Configuration.toWrite(console, option, data));
        }
        return Exit.OK;
    }

    private static List<Shows> shown(Console console, @Nullable Path file, @Nullable String data) {
        Map<String, ConfigFile.Value> inFile =
                file == null ? Map.of() : Configuration.settings(file, console, data, _ -> true);
        var all = new ArrayList<Shows>();
        Known.SETTINGS.forEach((name, variable) -> {
            var set = console.env(name);
            var value = inFile.get(name);
            if (set != null) all.add(new Shows(name, set, "environment"));
            else if (value == null) all.add(new Shows(name, variable.byDefault(), "default"));
            else all.add(new Shows(name, value.text(), origin(file, value)));
        });
        return all;
    }

    private static String origin(@Nullable Path file, ConfigFile.Value value) {
        return value.from() == null ? "" + file : "%s, from %s".formatted(file, value.from());
    }

    private static void list(List<Shows> all, Args args, Console console) {
        var open = all.stream().map(ConfigCommand::open).toList();
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(open));
            return;
        }
        var rows =
                open.stream()
                        .map(each -> List.of(each.name(), Shown.clean(each.value()), each.origin()))
                        .toList();
        console.out().print(Table.of(List.of("NAME", "VALUE", "ORIGIN"), rows, console));
    }

    /** Hides the value of a secret, unless it is the default. */
    private static Shows open(Shows each) {
        boolean isHidden = Known.isSecret(each.name()) && !each.origin().equals("default");
        return isHidden ? new Shows(each.name(), "(hidden)", each.origin()) : each;
    }

    private static Exit get(@Nullable String name, List<Shows> all, Console console) {
        var value =
                all.stream()
                        .filter(each -> each.name().equals(name) && each.value() != null)
                        .findFirst();
        if (value.isEmpty()) {
            console.err().println("coppice: %s is not set, and has no default".formatted(name));
            return Exit.NOT_FOUND;
        }
        console.out().println(value.get().value());
        return Exit.OK;
    }

    private static void change(Args args, Console console, Path file) {
        var name = args.word(1);
        boolean sets = args.word(0).equals("set");
        var from = args.value("from-file");
        var value = args.wordOrNull(2);
        if (sets && (from == null) == (value == null)) {
            throw new Args.Invalid("'set' needs VALUE or --from-file FILE");
        }
        if (!sets && from != null) throw new Args.Invalid("--from-file is for 'set'");
        var before = Files.exists(file) ? ConfigFile.text(file, ConfigFile.BYTES_MAX) : "";
        String line = null;
        if (value != null) line = TomlText.line(name, value);
        else if (from != null) line = TomlText.reference(name, console.file(from));
        if (!sets && !ConfigFile.parsed(file, before).containsKey(name)) {
            throw new Args.Invalid("%s is not set in %s".formatted(name, file));
        }
        var changed = new TomlText(file, before).with(name, line);
        var values = ConfigFile.of(file, changed.text(), _ -> true);
        Configuration.refuseDirectory(file, values, console, args.value("data"));
        if (from != null) {
            new ConfigFile(file, Map.of(name, values.get(name))).refuseOpenSecrets();
        }
        if (sets) check(name, values, args, console);
        write(file, changed.text(), value != null && Known.isSecret(name));
        report(name, sets, file, console);
    }

    /** Throws if the coordinator would refuse the setting. */
    private static void check(
            String name, Map<String, ConfigFile.Value> values, Args args, Console console) {
        if (!SettingsReader.VARIABLES.containsKey(name)) return;
        var all = new HashMap<String, String>(console.environment());
        values.forEach((each, value) -> all.put(each, value.text()));
        all.putIfAbsent("COPPICE_DATA", CoordinatorPlace.data(args, console).toString());
        if (args.has(Option.DATA)) all.put("COPPICE_DATA", args.value("data", ""));
        try {
            new SettingsReader(all).read();
        } catch (SettingsReader.BadSetting e) {
            throw new Args.Invalid(String.valueOf(e.getMessage()));
        }
    }

    private static void report(String name, boolean sets, Path file, Console console) {
        console.out().println("%s %s in %s".formatted(sets ? "set" : "removed", name, file));
        if (console.env(name) != null) {
            console.err().println("coppice: the environment sets it, too, and beats the file");
        } else if (SettingsReader.VARIABLES.containsKey(name)) {
            console.err().println("coppice: a coordinator reads it when it starts next");
        }
    }

    /** Replaces the file at once. It keeps its rights, but others do not get to read a secret. */
    private static void write(Path named, String text, boolean isSecret) {
        try {
            var file = Files.exists(named) ? named.toRealPath() : named.toAbsolutePath();
            var parent = Objects.requireNonNull(file.getParent());
            boolean isOfMachine = named.equals(Configuration.MACHINE);
            if (isOfMachine) Files.createDirectories(parent);
            else if (!Files.exists(parent)) OwnerOnly.directory(parent);
            var beside = file.resolveSibling(file.getFileName() + ".new");
            Files.deleteIfExists(beside);
            OwnerOnly.create(beside);
            Files.writeString(beside, text);
            if (isOfMachine && !isSecret) Files.setPosixFilePermissions(beside, OF_MACHINE);
            if (Files.exists(file)) {
                var before = Files.readAttributes(file, PosixFileAttributes.class);
                var rights = before.permissions();
                var view = Files.getFileAttributeView(beside, PosixFileAttributeView.class);
                var now = Files.readAttributes(beside, PosixFileAttributes.class);
                // Root changes a file of the service, which must be able to read it still.
                if (!now.owner().equals(before.owner())) view.setOwner(before.owner());
                if (!now.group().equals(before.group())) view.setGroup(before.group());
                if (isSecret) rights.remove(PosixFilePermission.OTHERS_READ);
                Files.setPosixFilePermissions(beside, rights);
            }
            Files.move(
                    beside,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + named, e);
        }
    }
}
