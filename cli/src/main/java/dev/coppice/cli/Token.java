package dev.coppice.cli;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.access.Tokens;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Derives a token of a lesser role from the administrator's token. */
final class Token implements Command {
    private static final List<String> ROLES = List.of("operator", "viewer", "runner");

    @Override
    public String name() {
        return "token";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print a token for another role",
                List.of(),
                List.of(Option.of("role", "ROLE", "operator, viewer or runner")),
                """
                The token is derived from the file 'token' in the data directory. Replacing
                that file invalidates every token derived from it.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var role = args.value("role", "");
        if (!ROLES.contains(role)) {
            throw new Args.Invalid("--role is '%s'; it must be one of %s".formatted(role, ROLES));
        }
        var tokens = new Tokens(content(args, console));
        var caller = Caller.as(Role.valueOf(role.toUpperCase(Locale.ROOT)));
        var token = tokens.issue(caller);
        console.out().println(args.has(Option.JSON) ? Json.write(Map.of("token", token)) : token);
        return Exit.OK;
    }

    static String content(Args args, Console console) {
        var file = Connection.data(args, console).resolve("token");
        try {
            if (Files.isReadable(file)) return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
        throw new Args.Invalid(
                "no token at %s; start a coordinator first, or set COPPICE_TOKEN".formatted(file));
    }
}
