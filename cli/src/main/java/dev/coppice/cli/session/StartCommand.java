package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Shape;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.blueprint.BlueprintCalls;
import dev.coppice.wire.run.StartRunRequest;
import dev.coppice.wire.session.LimitsView;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.RunType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Starts a session; inside an agent, as a child of its session. */
public final class StartCommand implements Command {
    @Override
    public String name() {
        return "start";
    }

    @Override
    public Usage usage() {
        var options = new ArrayList<>(RunOrder.OPTIONS);
        options.add(
                Option.of(
                        "agent",
                        "BLUEPRINT",
                        "the blueprint (default COPPICE_AGENT, else the only one)"));
        options.add(Option.of("project-dir", "DIR", "the working directory (default: this one)"));
        options.add(Option.of("parent", "NAME", "its parent (inside an agent: that session)"));
        options.add(Option.of("wave", "ID", "the wave it belongs to; a new ID declares one"));
        options.add(
                Option.of("limits", "JSON", "limits of its tree, such as {\"descendants\":20}"));
        options.add(
                Option.of(
                                "on-parent-end",
                                "POLICY",
                                "stop, keep (unless the parent is stopped), abandon or ask")
                        .among(OnParentEnd.class));
        return Usage.of(
                "Start a session",
                List.of("NAME"),
                options,
                """
                Waits for the result and prints it; on a terminal, what the program prints until
                then, or what its agent says. In the asynchronous modes, prints the id of the
                session and returns at once. Inside an agent, the new session becomes its child.

                  coppice start plan --agent scripted -p 'say hello'
                  echo 'make test' | coppice start check --agent sh
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var mode = RunOrder.mode(args);
        var connection = Connection.open(args, console);
        var blueprint = blueprint(connection, args, console);
        var request =
                new StartRunRequest(
                        RunType.START_SESSION,
                        RunOrder.prompt(args, console),
                        null,
                        null,
                        args.word(0),
                        null,
                        blueprint,
                        console.file(args.value("project-dir", "")).toString(),
                        "coppice-cli",
                        null,
                        args.value("parent"),
                        mode,
                        null,
                        null,
                        null,
                        limits(args.value("limits")),
                        args.choice("on-parent-end", OnParentEnd.class),
                        null,
                        args.value("wave"),
                        false,
                        Patience.NONE);
        return RunOrder.placed(connection, request, args, console);
    }

    /**
     * The blueprint that was asked for; else the configured one; else the only one besides the
     * built-in, which would take an ordinary prompt for a script.
     */
    private static String blueprint(Connection connection, Args args, Console console) {
        var asked = args.value("agent");
        if (asked != null) return asked;
        var configured = console.env("COPPICE_AGENT");
        if (configured != null) return configured;
        var find = new BlueprintCalls.Find(null, null, Sizes.PAGE_ITEMS_MAX);
        var others =
                connection.call(BlueprintCalls.LIST, find).documents().stream()
                        .map(BlueprintCalls.Document::document)
                        .filter(b -> !"scripted".equals(Json.text(b, "kind")))
                        .filter(b -> "active".equals(Json.text(b, "status")))
                        .map(b -> String.valueOf(Json.text(b, "name")))
                        .toList();
        if (others.size() == 1) return others.getFirst();
        throw new Args.Invalid(
                others.isEmpty()
                        ? "there is no blueprint to start from yet; add one with 'coppice"
                                + " blueprints add NAME PROGRAM', or pass --agent scripted to play"
                                + " the prompt as a script"
                        : "there are several blueprints (%s); pass --agent, or set COPPICE_AGENT"
                                .formatted(Shown.names(others)));
    }

    private static @Nullable LimitsView limits(@Nullable String text) {
        if (text == null) return null;
        try {
            var read = Json.valueOf(text);
            if (read != null && read.isObject()) return limits(read);
        } catch (Json.Unreadable e) {
            throw new Args.Invalid("--limits: " + e.getMessage());
        }
        throw new Args.Invalid("--limits must be a JSON object");
    }

    private static LimitsView limits(JsonNode read) {
        var unknown = Shape.of(LimitsView.class).unknownIn(read);
        if (unknown == null) return Json.as(read, LimitsView.class);
        throw Args.Invalid.near(
                "--limits has the unknown field '%s'; the fields are %s"
                        .formatted(unknown.field(), String.join(", ", unknown.known())),
                unknown.field(),
                unknown.known());
    }
}
