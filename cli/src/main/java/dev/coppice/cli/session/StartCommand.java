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
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.RunType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts a session; inside an agent, as a child of its session. */
public final class StartCommand implements Command {
    private static final int NAMES_MAX = 20;

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
        options.add(Option.of("in", "DIR", "the working directory (default: this one)"));
        options.add(Option.of("project-dir", "DIR", "the same as --in"));
        options.add(
                Option.of(
                        "budget",
                        "USD",
                        "spend at most USD dollars; or tokens=N,cost=USD,wall=2h"));
        options.add(Option.of("label", "KEY=VALUE", "a label of it; may be repeated").repeatable());
        options.add(Option.flag("follow", "show its output in a pipe, too, while it runs").as("f"));
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
                List.of("[NAME]"),
                options,
                """
                Waits for the result and prints it; on a terminal, what the program prints until
                then, or what its agent says. In the asynchronous modes, prints the id of the
                session and returns at once. Inside an agent, the new session becomes its child.
                Without NAME, it is named after the first words of its prompt. The name of a
                session that has ended is free again; that session is called NAME~1 then.

                  coppice start plan --agent scripted -p 'say hello'
                  coppice start -p 'mend the login test' --budget 2 --label team=web
                  echo 'make test' | coppice start check --agent sh
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var mode = RunOrder.mode(args);
        var connection = Connection.open(args, console);
        var blueprint = blueprint(connection, args, console);
        var prompt = RunOrder.prompt(args, console);
        var budget = args.value("budget");
        var given = args.wordOrNull(0);
        boolean isChild = args.has("parent") || console.env("AGENT_SESSION_ID") != null;
        var name = given == null ? free(connection, Slug.of(prompt), isChild) : given;
        var request =
                new StartRunRequest(
                        RunType.START_SESSION,
                        prompt,
                        null,
                        null,
                        name,
                        null,
                        blueprint,
                        console.file(args.value("in", args.value("project-dir", ""))).toString(),
                        "coppice-cli",
                        null,
                        args.value("parent"),
                        mode,
                        null,
                        null,
                        labels(args.list("label")),
                        limits(args.value("limits")),
                        args.choice("on-parent-end", OnParentEnd.class),
                        budget == null ? null : BudgetCommand.request(budget),
                        args.value("wave"),
                        false,
                        Patience.NONE);
        return RunOrder.placed(connection, request, given == null, args, console);
    }

    /**
     * The name, or with a number if it is taken; a child takes no name of an ended session. Null
     * lets the coordinator choose.
     */
    private static @Nullable String free(
            Connection connection, @Nullable String name, boolean isChild) {
        if (name == null) return null;
        for (int i = 1; i <= NAMES_MAX; i++) {
            var tried = i == 1 ? name : name + "-" + i;
            var found = connection.client().call(SessionCalls.NAMED, new SessionCalls.Named(tried));
            boolean isFree =
                    !found.isGood() || (!isChild && found.value().session().endedAt() != null);
            if (isFree) return tried;
        }
        return null;
    }

    private static @Nullable JsonNode labels(@Nullable List<String> given) {
        if (given == null) return null;
        var labels = new LinkedHashMap<String, String>();
        for (var label : given) {
            int at = label.indexOf('=');
            if (at < 1)
                throw new Args.Invalid("--label is '%s'; it must be KEY=VALUE".formatted(label));
            labels.put(label.substring(0, at), label.substring(at + 1));
        }
        return Json.tree(Map.of("labels", labels));
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
