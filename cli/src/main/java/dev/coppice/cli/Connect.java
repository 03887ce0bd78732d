package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds Coppice's tools to the configuration of an agent program. */
final class Connect implements Command {
    private static final String NAME = "coppice";

    /** Programs name variables of the environment in different ways, so no file has a token. */
    private static final Map<String, Place> PLACES =
            new TreeMap<>(
                    Map.of(
                            "claude-code",
                            new Place(
                                    ".mcp.json",
                                    "mcpServers",
                                    """
                                    {"type": "http", "url": "URL",
                                     "headers": {
                                       "Authorization": "Bearer ${COPPICE_TOKEN}",
                                       "X-Agent-Session-Name": "${AGENT_SESSION_NAME:-}"}}
                                    """),
                            "cursor",
                            new Place(
                                    ".cursor/mcp.json",
                                    "mcpServers",
                                    """
                                    {"url": "URL",
                                     "headers": {"Authorization": "Bearer ${env:COPPICE_TOKEN}"}}
                                    """),
                            "gemini",
                            new Place(
                                    ".gemini/settings.json",
                                    "mcpServers",
                                    """
                                    {"httpUrl": "URL",
                                     "headers": {"Authorization": "Bearer $COPPICE_TOKEN"}}
                                    """),
                            "opencode",
                            new Place(
                                    "opencode.json",
                                    "mcp",
                                    """
                                    {"type": "remote", "url": "URL", "enabled": true,
                                     "headers": {
                                       "Authorization": "Bearer {env:COPPICE_TOKEN}",
                                       "X-Agent-Session-Name": "{env:AGENT_SESSION_NAME}"}}
                                    """)));

    /** The file of a program below a project, the field of its servers, and ours in its form. */
    private record Place(String file, String field, String server) {}

    @Override
    public String name() {
        return "connect";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Add Coppice's tools to an agent program",
                List.of("PROGRAM"),
                List.of(
                        Option.of("project", "DIR", "the project to configure (default: this one)"),
                        Option.flag("print", "only show the change"),
                        Option.flag("undo", "take Coppice out of the configuration again")),
                """
                PROGRAM is claude-code, codex, cursor, gemini or opencode. Everything else in
                the file stays. The file has no token: the program reads COPPICE_TOKEN from its
                environment, which agents that Coppice starts have.

                  coppice connect claude-code
                  export COPPICE_TOKEN=$(cat ~/.coppice/token); claude
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var program = args.word(0);
        var url = Connection.open(args, console).client().base().resolve("/mcp").toString();
        if (program.equals("codex")) {
            // Its file is TOML, which it edits itself.
            var add = "codex mcp add " + NAME + " --url " + url;
            console.out()
                    .println(
                            args.has("undo")
                                    ? "codex mcp remove " + NAME
                                    : add + " --bearer-token-env-var COPPICE_TOKEN");
            return Exit.OK;
        }
        var place = PLACES.get(program);
        if (place == null) {
            var known = "codex, " + String.join(", ", PLACES.keySet());
            throw new Args.Invalid("'%s' is not known; known are %s".formatted(program, known));
        }
        var file = Path.of(args.value("project", ".")).resolve(place.file());
        var server = args.has("undo") ? null : Json.read(place.server().replace("URL", url));
        return change(file, place, (ObjectNode) server, args, console);
    }

    private static Exit change(
            Path file, Place place, @Nullable ObjectNode server, Args args, Console console) {
        var document = read(file);
        var servers = document.path(place.field());
        if (!servers.isMissingNode() && !servers.isObject()) {
            throw new Args.Invalid("%s of %s is not an object".formatted(place.field(), file));
        }
        var before = servers.get(NAME);
        if (server == null ? before == null : server.equals(before)) {
            console.out().println(file + " stays as it is");
            return Exit.OK;
        }
        console.out().println(file + ", " + place.field() + ":");
        if (before != null) shown("- ", before.toPrettyString(), console);
        if (server != null) shown("+ ", server.toPrettyString(), console);
        if (args.has("print")) return Exit.OK;
        if (server == null) remove(document, place.field());
        else document.withObject("/" + place.field()).set(NAME, server);
        if (document.isEmpty()) delete(file);
        else write(file, document);
        if (server != null && console.env("COPPICE_TOKEN") == null) {
            var token = Connection.data(args, console).resolve("token").toAbsolutePath();
            console.out()
                    .println(
                            "Next, in the terminal where you start it: export"
                                    + " COPPICE_TOKEN=$(cat '%s')".formatted(token));
        }
        return Exit.OK;
    }

    /** Removes Coppice, and an object that is empty without it. */
    private static void remove(ObjectNode document, String field) {
        var servers = (ObjectNode) document.path(field);
        servers.remove(NAME);
        if (servers.isEmpty()) document.remove(field);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void shown(String sign, String text, Console console) {
        var lines = ("\"%s\": ".formatted(NAME) + text).lines().toList();
        for (var line : lines) console.out().println(sign + line);
    }

    private static ObjectNode read(Path file) {
        try {
            var text = Files.exists(file) ? Files.readString(file) : "";
            var document = text.isBlank() ? Json.object() : Json.read(text);
            if (document instanceof ObjectNode object) return object;
            throw new Args.Invalid(file + " is not a JSON object; nothing was changed");
        } catch (Json.Unreadable e) {
            throw new Args.Invalid(
                    "%s cannot be read, and nothing was changed: %s"
                            .formatted(file, e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the file at once, so that no program sees half of it. */
    private static void write(Path file, ObjectNode document) {
        try {
            var directory = file.toAbsolutePath().getParent();
            Files.createDirectories(directory);
            var made = Files.createTempFile(directory, ".coppice-", ".json");
            Files.writeString(made, Json.pretty(document) + "\n");
            // A temporary file is its owner's alone; the project may have other readers.
            if (Files.exists(file)) {
                Files.setPosixFilePermissions(made, Files.getPosixFilePermissions(file));
            }
            Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
