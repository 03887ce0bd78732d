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
import dev.coppice.word.BlueprintStatus;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lists, shows, adds, edits and removes blueprints. */
final class BlueprintsCommand implements Command {
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
            case "activate" -> activate(connection, name, BlueprintStatus.ACTIVE, args, console);
            case "deactivate" ->
                    activate(connection, name, BlueprintStatus.INACTIVE, args, console);
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
            console.out().println(found.text());
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
            document.setAll(Documents.given(args, console));
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

    private static Exit edit(Connection connection, String name, Args args, Console console) {
        var before =
                connection.ask(BlueprintCalls.READ, new BlueprintCalls.Read(name, true)).body();
        var changes = Documents.changes(before, args, console);
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

    private static Exit remove(Connection connection, String name, Args args, Console console) {
        var question = "Remove the blueprint %s? [y/N]".formatted(Shown.clean(name));
        if (!Documents.isConfirmed(question, args, console)) return Exit.REFUSED;
        connection.call(BlueprintCalls.REMOVE, new BlueprintCalls.At(name));
        if (!args.has(Option.JSON)) console.out().println("removed " + Shown.clean(name));
        return Exit.OK;
    }

    private static Exit activate(
            Connection connection,
            String name,
            BlueprintStatus status,
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
