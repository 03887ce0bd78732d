package dev.coppice.cli.config;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.OwnerOnly;
import dev.coppice.client.Trust;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Names coordinators. Each has a directory in the user's configuration with its address, a token
 * and, where this machine does not trust it anyway, its certificates: the files of a data
 * directory.
 */
public final class ContextCommand implements Command {
    @Override
    public String name() {
        return "context";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Name coordinators, and choose the one that commands call",
                List.of("list|add|use|remove", "[NAME]"),
                List.of(
                        Option.of("url", "URL", "add: its address"),
                        Option.of(
                                "token-file", "FILE", "add: a file with the token; '-' to read it"),
                        Option.of("ca", "FILE", "add: the certificates to accept from it, in PEM"),
                        Option.of("fingerprint", "SHA256", "add: that of its certificate"),
                        Option.flag("none", "use: call the coordinator of this machine again")),
                """
                Without contexts, commands call the coordinator of the data directory. --data and
                --context beat COPPICE_URL, that beats COPPICE_CONTEXT, and that beats 'use'.

                  coppice token create --role operator | ssh desk coppice context add work \\
                      --url https://build:8766 --fingerprint sha256:… --token-file -
                  coppice context use work
                  coppice list --context work
                """);
    }

    @Override
    public Reads reads() {
        return Reads.NONE;
    }

    @Override
    public Exit run(Args args, Console console) {
        var name = args.wordOrNull(1);
        switch (args.word(0)) {
            case "list" -> list(args, console);
            case "add" -> add(named(name), args, console);
            case "use" -> use(name, args, console);
            default -> remove(named(name), console);
        }
        return Exit.OK;
    }

    private static String named(@Nullable String name) {
        if (name == null) throw new Args.Invalid("NAME is missing");
        return name;
    }

    /** A context as it is listed. */
    private record Listed(String name, String url, boolean inUse) {}

    private static void list(Args args, Console console) {
        var all = new ArrayList<Listed>();
        var used = CoordinatorPlace.inUse(console);
        for (var name : names(console)) {
            var url = read(CoordinatorPlace.named(name, console).resolve("url"));
            all.add(new Listed(name, url, name.equals(used)));
        }
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(all));
            return;
        }
        var rows =
                all.stream()
                        .map(each ->
                                List.of(
                                        each.inUse() ? "*" : "",
                                        Shown.clean(each.name()),
                                        Shown.clean(each.url())))
                        .toList();
        console.out().print(Table.of(List.of("USED", "NAME", "URL"), rows, console));
    }

    private static List<String> names(Console console) {
        var place = CoordinatorPlace.contexts(console);
        if (!Files.isDirectory(place)) return List.of();
        try (var all = Files.list(place)) {
            return all.filter(each -> Files.exists(each.resolve("url")))
                    .map(each -> each.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + place, e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static void add(String name, Args args, Console console) {
        var place = CoordinatorPlace.named(name, console);
        if (Files.exists(place)) {
            throw new Args.Invalid(
                    "there is a context '%s'; 'coppice context remove %s' removes it"
                            .formatted(name, name));
        }
        var url = args.value("url");
        if (url == null) throw new Args.Invalid("--url is missing");
        var address = Connection.address(url);
        var token = token(args, console);
        var certificates = certificates(address, args, console);
        try {
            OwnerOnly.directory(place);
            OwnerOnly.write(place.resolve("token"), token + "\n");
            if (certificates != null) {
                OwnerOnly.write(place.resolve(Connection.CERTIFICATES), certificates);
            }
            // The address last: with it, the context is complete.
            OwnerOnly.write(place.resolve("url"), address + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + place, e);
        }
        console.out().println("added " + name);
    }

    private static String token(Args args, Console console) {
        var file = args.value("token-file");
        if (file == null) throw new Args.Invalid("--token-file is missing; '-' reads the token");
        var token = file.equals("-") ? console.line().strip() : read(console.file(file));
        if (token.isEmpty()) throw new Args.Invalid("the token is empty");
        return token;
    }

    private static @Nullable String certificates(URI url, Args args, Console console) {
        var file = args.value("ca");
        var fingerprint = args.value("fingerprint");
        if (file != null && fingerprint != null) {
            throw new Args.Invalid("--ca and --fingerprint exclude each other");
        }
        boolean isTls = "https".equals(url.getScheme());
        if (!isTls && (file != null || fingerprint != null)) {
            throw new Args.Invalid("--ca and --fingerprint are for an https:// address");
        }
        if (file != null) {
            var _ = Trust.in(console.file(file));
            return read(console.file(file)) + "\n";
        }
        return fingerprint == null ? null : Connection.certificate(url, fingerprint);
    }

    private static void use(@Nullable String name, Args args, Console console) {
        if ((name == null) != args.has("none")) {
            throw new Args.Invalid("'use' needs NAME or --none");
        }
        var file = CoordinatorPlace.used(console);
        try {
            if (name == null) {
                Files.deleteIfExists(file);
                console.out().println("commands call the coordinator of this machine");
                return;
            }
            var place = CoordinatorPlace.named(name, console);
            if (!Files.exists(place.resolve("url"))) throw absent(name, console);
            OwnerOnly.write(file, name + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
        console.out().println("commands call " + name);
    }

    private static Args.Invalid absent(String name, Console console) {
        return Args.Invalid.near("there is no context '%s'".formatted(name), name, names(console));
    }

    private static void remove(String name, Console console) {
        var place = CoordinatorPlace.named(name, console);
        if (!Files.exists(place)) throw absent(name, console);
        try {
            if (name.equals(CoordinatorPlace.inUse(console))) {
                Files.delete(CoordinatorPlace.used(console));
            }
            for (var each : List.of("token", Connection.CERTIFICATES, "url")) {
                Files.deleteIfExists(place.resolve(each));
            }
            Files.delete(place);
        } catch (IOException e) {
            throw new UncheckedIOException("removing " + place, e);
        }
        console.out().println("removed " + name);
    }
}
