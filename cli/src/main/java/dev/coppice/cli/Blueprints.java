package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.Answer;
import dev.coppice.wire.Json;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.blueprint.BlueprintCalls;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lists, shows, adds, edits and removes blueprints. */
final class Blueprints implements Command {
    @Override
    public String name() {
        return "blueprints";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List, show, add, edit or remove blueprints",
                List.of("[add|show|edit|rm|activate|deactivate]", "[BLUEPRINT]", "[WORD…]"),
                List.of(
                        Option.of("tags", "TAGS", "list: only with all of these tags, such as a,b"),
                        Option.of(
                                "file", "FILE", "add, edit: a file with the JSON document, or '-'"),
                        Option.of(
                                "kind",
                                "KIND",
                                "add: command, claude-code, codex or acp (default command)"),
                        Option.of("model", "MODEL", "add: the model of the agent"),
                        Option.of(
                                "permission-mode",
                                "MODE",
                                "add: what the agent may do unasked, in the words of its program"),
                        Option.of(
                                "allow",
                                "TOOLS",
                                "add: what Claude Code may use unasked, such as mcp__coppice"),
                        Option.flag("yes", "rm: do not ask for confirmation").as("y")),
                """
                'add' takes the program and its arguments as further words, or a document.
                'edit' opens the document in $VISUAL or $EDITOR, or takes it from --file.
                docs/blueprints.md describes the fields.

                  coppice blueprints add sh bash
                  coppice blueprints add claude --kind claude-code --model opus
                  coppice blueprints edit claude
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var word = args.wordOrNull(0);
        if (word == null) return list(connection, args, console);
        var name = args.wordOrNull(1);
        if (name == null) throw new Args.Invalid("BLUEPRINT is missing");
        if (args.words().size() > 2 && !word.equals("add")) {
            throw new Args.Invalid("unexpected argument '%s'".formatted(args.word(2)));
        }
        return switch (word) {
            case "add" -> add(connection, name, args, console);
            case "edit" -> edit(connection, name, args, console);
            case "rm" -> remove(connection, name, args, console);
            case "activate" ->
                    activate(connection, name, BlueprintCalls.Status.ACTIVE, args, console);
            case "deactivate" ->
                    activate(connection, name, BlueprintCalls.Status.INACTIVE, args, console);
            default -> {
                var found =
                        connection.ask(BlueprintCalls.READ, new BlueprintCalls.Read(name, false));
                console.out().println(Shown.clean(Json.pretty(found.body())));
                yield Exit.OK;
            }
        };
    }

    private static Exit list(Connection connection, Args args, Console console) {
        var find = new BlueprintCalls.Find(args.list("tags"), null, Sizes.PAGE_ITEMS_MAX);
        var found = connection.ask(BlueprintCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(found.body());
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var blueprint : found.value().documents()) {
            rows.add(
                    Stream.of("name", "kind", "status", "description")
                            .map(field -> Shown.clean(Json.text(blueprint.document(), field)))
                            .toList());
        }
        var headings = List.of("NAME", "KIND", "STATUS", "DESCRIPTION");
        console.out().print(Table.of(headings, rows, console));
        return Exit.OK;
    }

    private static Exit add(Connection connection, String name, Args args, Console console) {
        var command = args.words().subList(2, args.words().size());
        var document = Json.object();
        if (args.value("file") != null) {
            document.setAll(object(document(args, console)));
        }
        document.put("name", name);
        if (!command.isEmpty()) document.put("kind", "command").set("command", Json.tree(command));
        for (var field : List.of("kind", "model", "permission-mode")) {
            var value = args.value(field);
            if (value != null) document.put(field.replace('-', '_'), value);
        }
        if (args.value("allow") != null) {
            document.set("allowed_tools", Json.tree(args.list("allow")));
        }
        if (document.size() == 1) {
            throw new Args.Invalid("pass the program and its arguments, --kind or --file");
        }
        return done(
                "added",
                connection.ask(BlueprintCalls.CREATE, new BlueprintCalls.Create(document)),
                args,
                console);
    }

    private static tools.jackson.databind.node.ObjectNode object(JsonNode document) {
        if (document instanceof tools.jackson.databind.node.ObjectNode object) return object;
        throw new Args.Invalid("the document must be a JSON object");
    }

    private static JsonNode document(Args args, Console console) {
        var file = args.value("file", "-");
        try {
            var bytes =
                    file.equals("-")
                            ? console.in().readAllBytes()
                            : Files.readAllBytes(Path.of(file));
            return Json.read(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        } catch (Json.Unreadable e) {
            throw new Args.Invalid("%s is not JSON: %s".formatted(file, e.getMessage()));
        }
    }

    private static Exit edit(Connection connection, String name, Args args, Console console) {
        var before =
                connection.ask(BlueprintCalls.READ, new BlueprintCalls.Read(name, true)).body();
        var after = args.value("file") == null ? edited(before, console) : document(args, console);
        var changes = changes(before, object(after));
        if (changes.isEmpty()) {
            console.err().println("nothing was changed");
            return Exit.OK;
        }
        return done(
                "changed",
                connection.ask(BlueprintCalls.CHANGE, new BlueprintCalls.Change(name, changes)),
                args,
                console);
    }

    /** The fields that differ; a deleted field is set to null. */
    private static JsonNode changes(JsonNode before, JsonNode after) {
        var changes = Json.object();
        for (var field : after.properties()) {
            if (!field.getValue().equals(before.get(field.getKey()))) {
                changes.set(field.getKey(), field.getValue());
            }
        }
        for (var field : before.propertyNames()) if (!after.has(field)) changes.putNull(field);
        return changes;
    }

    /** Opens the document in the user's editor. A document that cannot be read is kept. */
    private static JsonNode edited(JsonNode before, Console console) {
        if (!console.canAsk()) throw new Args.Invalid("cannot edit: not a terminal; pass --file");
        try {
            var file = Files.createTempFile("blueprint-", ".json");
            Files.writeString(file, Json.pretty(before) + "\n", StandardCharsets.UTF_8);
            var editor =
                    console.env("VISUAL") == null ? console.env("EDITOR") : console.env("VISUAL");
            // An editor can be set with its options, as git allows, so a shell reads it.
            var script = (editor == null ? "vi" : editor) + " \"$1\"";
            int exit =
                    new ProcessBuilder("sh", "-c", script, "sh", file.toString())
                            .inheritIO()
                            .start()
                            .waitFor();
            if (exit != 0) throw new Args.Invalid("the editor exited with " + exit);
            try {
                var after = Json.read(Files.readAllBytes(file));
                Files.delete(file);
                return after;
            } catch (Json.Unreadable e) {
                throw new Args.Invalid(
                        "%s is not JSON: %s; correct it and pass --file"
                                .formatted(file, e.getMessage()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("editing the document", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Args.Invalid("interrupted");
        }
    }

    private static Exit remove(Connection connection, String name, Args args, Console console) {
        if (!args.has("yes")) {
            if (!console.canAsk()) throw new Args.Invalid("cannot ask: not a terminal; pass --yes");
            var question = "Remove the blueprint %s? [y/N]".formatted(Shown.clean(name));
            if (!console.answer(question).startsWith("y")) {
                console.err().println("cancelled; nothing was removed");
                return Exit.REFUSED;
            }
        }
        connection.call(BlueprintCalls.REMOVE, new BlueprintCalls.At(name));
        if (!args.has(Option.JSON)) console.out().println("removed " + Shown.clean(name));
        return Exit.OK;
    }

    private static Exit activate(
            Connection connection,
            String name,
            BlueprintCalls.Status status,
            Args args,
            Console console) {
        var activate = new BlueprintCalls.Activate(name, status);
        return done("changed", connection.ask(BlueprintCalls.ACTIVATE, activate), args, console);
    }

    private static Exit done(
            String done, Answer<BlueprintCalls.Document> answer, Args args, Console console) {
        var name = Shown.clean(Json.text(answer.body(), "name"));
        console.out().println(args.has(Option.JSON) ? answer.body().toString() : done + " " + name);
        return Exit.OK;
    }
}
