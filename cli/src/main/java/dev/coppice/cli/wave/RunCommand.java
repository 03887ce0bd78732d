package dev.coppice.cli.wave;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.OnInterrupt;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.wire.wave.WaveCalls;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts the sessions that a file describes, each after those it depends on. */
public final class RunCommand implements Command {
    @Override
    public String name() {
        return "run";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Start sessions that depend on each other, from a file",
                List.of("FILE", "[NAME=VALUE…]"),
                List.of(
                        Option.flag("dry-run", "check and draw the plan, and start nothing"),
                        Option.flag("detach", "print the id of the wave, and do not wait"),
                        Option.of("parent", "NAME", "start the sessions below this one"),
                        Option.of("timeout", "TIME", "stop waiting after TIME, with exit code 10")),
                """
                The file is a JSON object with 'members' (docs/waves.md). Each NAME=VALUE is a
                parameter that the members use as ${params.NAME}. Waits until all are over.

                  coppice run review.json repo=web --dry-run
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var plan = plan(args.file(0), console.directory(), args);
        var connection = Connection.open(args, console);
        var wave = connection.ask(WaveCalls.START, plan);
        boolean isDry = wave.value().state().equals("planned");
        if (isDry || (args.has("detach") && args.has(Option.JSON))) {
            WaveText.print(wave.body(), wave.value(), args, console);
            return Exit.OK;
        }
        var id = wave.value().waveId();
        if (args.has("detach")) {
            console.out().println(id);
            return Exit.OK;
        }
        try (var _ =
                OnInterrupt.say(
                        console,
                        () ->
                                ("The wave goes on. 'coppice wave wait %s' waits for it again,"
                                                + " 'coppice wave stop %s' stops it.")
                                        .formatted(id, id))) {
            return WaveText.await(connection, id, args, console);
        }
    }

    private static WaveCalls.Start plan(Path file, Path here, Args args) {
        if (!(read(file) instanceof ObjectNode plan)) {
            throw new Args.Invalid(file + " must be a JSON object");
        }
        var unknown = Shape.of(WaveCalls.Start.class).unknownIn(plan);
        if (unknown != null) {
            throw Args.Invalid.near(
                    "%s has the unknown field '%s'; the fields are %s"
                            .formatted(file, unknown.field(), String.join(", ", unknown.known())),
                    unknown.field(),
                    unknown.known());
        }
        if (!plan.has("name")) {
            plan.put("name", String.valueOf(file.getFileName()).replaceFirst("\\.json$", ""));
        }
        if (args.has("dry-run")) plan.put("dry_run", true);
        var parent = args.value("parent");
        if (parent != null) {
            plan.remove("parent_session_id");
            plan.put("parent_session_name", parent);
        }
        parameters(plan, args.words().subList(1, args.words().size()));
        directories(plan, here);
        try {
            return Json.as(plan, WaveCalls.Start.class);
        } catch (Json.Unreadable e) {
            throw new Args.Invalid("%s: %s".formatted(file, e.getMessage()));
        }
    }

    private static JsonNode read(Path file) {
        try {
            return Json.read(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        } catch (Json.Unreadable e) {
            throw new Args.Invalid("%s: %s".formatted(file, e.getMessage()));
        }
    }

    private static void parameters(ObjectNode plan, List<String> words) {
        if (words.isEmpty()) return;
        var there = plan.hasNonNull("parameters") ? plan.get("parameters") : Json.object();
        if (!(there instanceof ObjectNode given)) {
            throw new Args.Invalid("'parameters' of the file must be a JSON object");
        }
        for (var word : words) {
            int at = word.indexOf('=');
            if (at < 1) throw new Args.Invalid("'%s' must be NAME=VALUE".formatted(word));
            given.set(
                    word.substring(0, at),
                    value(plan, word.substring(0, at), word.substring(at + 1)));
        }
        plan.set("parameters", given);
    }

    /** The value as text, unless the schema wants another type. */
    private static JsonNode value(ObjectNode plan, String name, String text) {
        var type = plan.path("parameters_schema").path("properties").path(name).path("type");
        if (type.asString("string").equals("string")) return Json.tree(text);
        try {
            return Json.read(text);
        } catch (Json.Unreadable _) {
            return Json.tree(text);
        }
    }

    /** Members work in this directory, unless the file says otherwise. */
    private static void directories(ObjectNode plan, Path here) {
        for (var member : plan.path("members")) {
            if (member instanceof ObjectNode object && !object.has("project_dir")) {
                object.put("project_dir", here.toString());
            }
        }
    }
}
