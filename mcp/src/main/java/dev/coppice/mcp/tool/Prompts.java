package dev.coppice.mcp.tool;

import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.message.Lists.Content;
import dev.coppice.mcp.message.Lists.PromptArgument;
import dev.coppice.mcp.message.Lists.PromptText;
import dev.coppice.mcp.message.Lists.PromptView;
import dev.coppice.mcp.message.Lists.Said;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Instructions that help with trees of sessions; a person picks one in the client. */
public final class Prompts {
    private static final List<Prompt> ALL =
            List.of(
                    new Prompt(
                            "orchestrate",
                            "Split work among agents",
                            "Plan a task for several agents, start them and gather what they find",
                            Map.of("task", "what is to be done"),
                            """
                            Do this with the help of other agents: ${task}

                            1. See with list_agent_blueprints which agents there are.
                            2. Split the task into parts that do not need each other. Start one
                               agent for each part with start_agent_session, mode
                               async_callback; if parts need each other, use start_wave with
                               'after'.
                            3. You are woken when they end. Read each result with
                               get_agent_session_result. If one failed, look at its last events
                               with search_events before you start it again.
                            4. Answer with what was found, and say which part failed. Stop what
                               still runs with stop_session.\
                            """),
                    new Prompt(
                            "review_tree",
                            "Review a tree of sessions",
                            "Find out what a tree of sessions is doing and what needs a person",
                            Map.of("session", "the name of the session at the top"),
                            """
                            Review the session ${session} and everything below it. Read get_tree
                            and get_session_status for it. For each session that failed, waits or
                            is silent, read its last events with search_events. Report first what
                            needs a person, with the exact question or error; then what is running
                            and since when; then what has finished, with its result in one
                            sentence. Change nothing.\
                            """),
                    new Prompt(
                            "clean_up",
                            "Delete a session safely",
                            "Look at what a deletion would take, and do it only if nothing is lost",
                            Map.of("session", "the name of the session to delete"),
                            """
                            Delete the session ${session}. Call get_delete_plan first and tell
                            what it would take: sessions, runs and unsaved work. If it is refused
                            or work would be lost, stop and ask; never pass force or
                            preserve_work=false on your own. Otherwise call delete_session with
                            the plan's digest as 'confirm', and tell the removal id and until when
                            undo_deletion can bring everything back.\
                            """));

    private Prompts() {}

    /** A text with placeholders for its arguments, all of which are required. */
    private record Prompt(
            String name,
            String title,
            String description,
            Map<String, String> arguments,
            String text) {
        PromptView view() {
            return new PromptView(
                    name,
                    title,
                    description + ".",
                    arguments.entrySet().stream()
                            .map(a -> new PromptArgument(a.getKey(), a.getValue(), true))
                            .toList());
        }
    }

    public static List<PromptView> list() {
        return ALL.stream().map(Prompt::view).toList();
    }

    public static PromptText get(JsonNode params) throws BrokenCall {
        var name = Json.text(params, "name");
        var found = ALL.stream().filter(p -> p.name().equals(name)).findFirst();
        if (found.isEmpty()) {
            var names = ALL.stream().map(Prompt::name).toList();
            throw new BrokenCall(
                    200, -32602, "there is no prompt %s; there are %s".formatted(name, names));
        }
        var prompt = found.get();
        var values = new LinkedHashMap<String, String>();
        for (var argument : prompt.arguments().keySet()) {
            var value = Json.text(params.path("arguments"), argument);
            if (value == null || value.isBlank()) {
                var rule = "the prompt %s needs the argument '%s'".formatted(name, argument);
                throw new BrokenCall(200, -32602, rule);
            }
            values.put(argument, value);
        }
        var text = prompt.text();
        for (var value : values.entrySet()) {
            text = text.replace("${" + value.getKey() + "}", value.getValue());
        }
        return new PromptText(
                prompt.description() + ".", List.of(new Said("user", new Content(text))));
    }
}
