package dev.coppice.operations.look;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.Saying;
import dev.coppice.wire.event.ToolInput;
import dev.coppice.wire.look.CompareCalls.CommitView;
import dev.coppice.wire.look.CompareCalls.StepView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Lists what the sessions of a tree did: prompts, uses of tools and ends. Texts of models are left
 * out, because they differ each time. Sessions are named by the order in which they appear, so that
 * two trees can be compared.
 */
final class Story {
    private static final int TEXT_CHARS_MAX = 400;
    private static final int FILES_MAX = 1_000;
    private static final int COMMITS_MAX = 200;
    private static final Set<String> WRITERS =
            Set.of("Write", "Edit", "MultiEdit", "NotebookEdit", "write", "edit", "fileChange");
    private static final Pattern COMMIT =
            Pattern.compile(
                    "(?m)^\\[(\\S{1,200}(?: \\(root-commit\\))?) ([0-9a-f]{7,40})\\] (.{0,200})");

    private final List<StepView> steps = new ArrayList<>();
    private final Set<String> files = new TreeSet<>();
    private final Map<String, CommitView> commits = new LinkedHashMap<>();
    private final Map<String, String> agents = new HashMap<>();
    private final Map<String, Integer> children = new HashMap<>();
    private final Set<String> calls = new java.util.HashSet<>();

    void read(Entry entry) {
        var session = entry.session().value();
        switch (entry.fact()) {
            case Fact.SessionCreated(var shot) -> appear(session, shot.where().parentId());
            case Fact.SessionUpdated(var shot) when shot.when().ended() != null ->
                    add(
                            entry,
                            StateWord.FAILED.contains(shot.state()) ? "failed" : "ended",
                            shot.state());
            case Fact.Reported(var type, var body) -> reported(entry, type, body.value());
            default -> {}
        }
    }

    private String appear(String session, @Nullable String parent) {
        var known = agents.get(session);
        if (known != null) return known;
        var above = parent == null ? null : agents.get(parent);
        var name = "0";
        if (above != null) {
            int number = children.merge(parent, 1, Integer::sum);
            name = above + "." + number;
        } else if (!agents.isEmpty()) {
            name = "0." + children.merge("", 1, Integer::sum) + "?";
        }
        agents.put(session, name);
        return name;
    }

    private void reported(Entry entry, String type, String text) {
        var body = Json.valueOf(text);
        if (body == null) return;
        var payload = Saying.payload(body);
        var tool = Json.textIfAny(payload, "tool_name");
        var prompt = Json.textIfAny(payload, "prompt");
        if (tool != null && payload.has("tool_input") && isFirst(payload)) {
            used(entry, tool, payload.path("tool_input"));
        } else if (type.equals("UserPromptSubmit") && prompt != null) {
            add(entry, "prompt", prompt);
        }
        for (var field : List.of("tool_response", "tool_output")) answered(payload.path(field));
    }

    /** True for the first report of a use: programs report it before and after, some only once. */
    private boolean isFirst(JsonNode payload) {
        var call = Json.textIfAny(payload, "tool_use_id");
        return call == null ? !payload.has("tool_response") : calls.add(call);
    }

    private void used(Entry entry, String tool, JsonNode input) {
        add(entry, "tool", tool + ": " + ToolInput.subject(input));
        if (!WRITERS.contains(tool) || files.size() >= FILES_MAX) return;
        for (var name : List.of("file_path", "notebook_path", "path")) {
            var file = Json.textIfAny(input, name);
            if (file != null) files.add(Bounds.firstOf(file, TEXT_CHARS_MAX));
        }
    }

    private void answered(JsonNode answer) {
        var text = answer.isString() ? answer.asString() : answer.path("stdout").asString("");
        var found = COMMIT.matcher(Bounds.firstOf(text, 64 * 1024));
        while (found.find() && commits.size() < COMMITS_MAX) {
            var commit = new CommitView(found.group(2), found.group(1), found.group(3));
            commits.putIfAbsent(commit.commit(), commit);
        }
    }

    private void add(Entry entry, String kind, String text) {
        var session = entry.session().value();
        steps.add(
                new StepView(
                        entry.number(),
                        appear(session, null),
                        session,
                        kind,
                        Bounds.firstOf(text, TEXT_CHARS_MAX)));
    }

    List<StepView> steps() {
        return steps;
    }

    List<String> files() {
        return List.copyOf(files);
    }

    List<CommitView> commits() {
        return List.copyOf(commits.values());
    }
}
