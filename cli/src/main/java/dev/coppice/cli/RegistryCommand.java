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
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.blueprint.BlueprintCalls.Document;
import dev.coppice.wire.registry.ConfigurationCalls;
import dev.coppice.wire.registry.RegistryCalls;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** Lists and changes what blueprints refer to, and moves all of it in an archive. */
final class RegistryCommand implements Command {
    private static final List<RegistryCalls> ALL =
            List.of(RegistryCalls.CAPABILITIES, RegistryCalls.SCRIPTS, RegistryCalls.MCP_SERVERS);

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List, show, add, edit or remove what blueprints refer to",
                List.of(
                        "[REGISTRY|export|import]",
                        "[add|show|edit|rm|FILE]",
                        "[NAME]",
                        "[SCRIPT]"),
                List.of(
                        Option.of(
                                "file", "FILE", "add, edit: a file with the JSON document, or '-'"),
                        Option.of("about", "TEXT", "add: the description"),
                        Option.flag("yes", "rm, import: do not ask for confirmation").as("y")),
                """
                REGISTRY is capabilities, scripts or mcp-servers. For a script, 'add' and 'edit'
                take the script itself as SCRIPT; docs/registries.md describes the documents.
                'export' writes blueprints and registries into an archive; 'import' replaces each
                registry that an archive has.

                  coppice registry scripts add greet greet.sh --about "Greets somebody"
                  coppice registry mcp-servers add documents --file documents.json
                  coppice registry export config.tar.gz
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var what = args.wordOrNull(0);
        if (what == null) return list(ALL, connection, args, console);
        if (what.equals("export")) return export(connection, args, console);
        if (what.equals("import")) return imported(connection, args, console);
        var calls =
                ALL.stream()
                        .filter(each -> each.path().equals("/" + what))
                        .findFirst()
                        .orElseThrow(() ->
                                new Args.Invalid(
                                        "'%s' is not one of %s, export, import"
                                                .formatted(what, words())));
        var verb = args.wordOrNull(1);
        if (verb == null) return list(List.of(calls), connection, args, console);
        var name = args.wordOrNull(2);
        if (name == null) throw new Args.Invalid("NAME is missing");
        return switch (verb) {
            case "add" -> add(calls, connection, name, args, console);
            case "edit" -> edit(calls, connection, name, args, console);
            case "rm" -> remove(calls, connection, name, args, console);
            case "show" -> {
                var found = connection.ask(calls.read(), new RegistryCalls.At(name));
                console.out().println(Shown.clean(Json.pretty(found.body())));
                yield Exit.OK;
            }
            default ->
                    throw new Args.Invalid(
                            "'%s' is not one of add, show, edit, rm".formatted(verb));
        };
    }

    private static String words() {
        return ALL.stream().map(RegistryCommand::word).collect(Collectors.joining(", "));
    }

    private static String word(RegistryCalls calls) {
        return calls.path().substring(1);
    }

    private static Exit list(
            List<RegistryCalls> registries, Connection connection, Args args, Console console) {
        var rows = new ArrayList<List<String>>();
        var all = Json.object();
        for (var calls : registries) {
            var found = connection.ask(calls.list(), new Call.Nothing());
            all.set(word(calls), found.body());
            for (var entry : found.value().documents()) {
                var document = entry.document();
                var id = Json.textIfAny(document, "id");
                rows.add(
                        List.of(
                                word(calls),
                                Shown.clean(id == null ? Json.text(document, "name") : id),
                                Shown.clean(Json.textIfAny(document, "description"))));
            }
        }
        if (args.has(Option.JSON)) console.out().println(all);
        else
            console.out()
                    .print(Table.of(List.of("REGISTRY", "NAME", "DESCRIPTION"), rows, console));
        return Exit.OK;
    }

    /** The document of {@code --file}, or one with the script that the words name. */
    private static ObjectNode document(RegistryCalls calls, Args args, Console console) {
        var script = args.wordOrNull(3);
        if (script == null) return Documents.given(args, console);
        if (!calls.equals(RegistryCalls.SCRIPTS)) {
            throw new Args.Invalid("unexpected argument '%s'".formatted(script));
        }
        var file = Path.of(script);
        return Json.object()
                .put("script_file", String.valueOf(file.getFileName()))
                .put("script_content", text(file));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static Exit add(
            RegistryCalls calls, Connection connection, String name, Args args, Console console) {
        var document = document(calls, args, console);
        document.put(calls.equals(RegistryCalls.MCP_SERVERS) ? "id" : "name", name);
        if (args.value("about") != null) document.put("description", args.value("about"));
        if (!document.has("name")) document.put("name", name);
        var made = connection.ask(calls.create(), new RegistryCalls.Create(document));
        return done("added", name, made, args, console);
    }

    private static Exit edit(
            RegistryCalls calls, Connection connection, String name, Args args, Console console) {
        var before = connection.ask(calls.read(), new RegistryCalls.At(name)).body();
        var changes =
                args.wordOrNull(3) == null
                        ? Documents.changes(before, args, console)
                        : document(calls, args, console);
        if (changes.isEmpty()) {
            console.err().println("nothing was changed");
            return Exit.OK;
        }
        var changed = connection.ask(calls.change(), new RegistryCalls.Change(name, changes));
        return done("changed", name, changed, args, console);
    }

    private static Exit remove(
            RegistryCalls calls, Connection connection, String name, Args args, Console console) {
        var question = "Remove the %s %s? [y/N]".formatted(calls.entry(), Shown.clean(name));
        if (!Documents.isConfirmed(question, args, console)) return Exit.REFUSED;
        connection.call(calls.remove(), new RegistryCalls.At(name));
        if (!args.has(Option.JSON)) console.out().println("removed " + Shown.clean(name));
        return Exit.OK;
    }

    private static Exit done(
            String what, String name, Answer<Document> answer, Args args, Console console) {
        if (args.has(Option.JSON)) console.out().println(answer.text());
        else console.out().println(what + " " + Shown.clean(name));
        return Exit.OK;
    }

    private static Path file(Args args) {
        var file = args.wordOrNull(1);
        if (file == null) throw new Args.Invalid("FILE is missing");
        return Path.of(file);
    }

    private static Exit export(Connection connection, Args args, Console console) {
        var file = file(args);
        connection.download(ConfigurationCalls.EXPORT, new Call.Nothing(), file);
        console.out().println("wrote " + Shown.clean(file.toString()));
        return Exit.OK;
    }

    private static Exit imported(Connection connection, Args args, Console console) {
        var file = file(args);
        var question = "Replace the registries that %s has? [y/N]".formatted(file);
        if (!Documents.isConfirmed(Shown.clean(question), args, console)) return Exit.REFUSED;
        try {
            var encoded = Base64.getEncoder().encodeToString(Files.readAllBytes(file));
            var answer =
                    connection.ask(
                            ConfigurationCalls.IMPORT, new ConfigurationCalls.Archive(encoded));
            if (args.has(Option.JSON)) console.out().println(answer.text());
            else console.out().println(summary(answer.value()));
            return Exit.OK;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static String summary(ConfigurationCalls.Imported imported) {
        var said =
                "imported %d blueprints, %d capabilities, %d scripts, %d MCP servers"
                        .formatted(
                                imported.agentsImported(),
                                imported.capabilitiesImported(),
                                imported.scriptsImported(),
                                imported.mcpServersImported());
        var ignored = imported.ignored();
        return ignored.isEmpty()
                ? said
                : said + "\nignored: " + Shown.clean(String.join(", ", ignored));
    }
}
