package dev.coppice.programs;

import dev.coppice.mcp.Examples;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.call.Cancelled;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.call.Channel.Action;
import dev.coppice.mcp.call.Question;
import dev.coppice.mcp.call.Unanswered;
import dev.coppice.mcp.call.Versions;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tools, prompts and resources that the official conformance suite expects of a server and that
 * only speak the protocol. Each is a list of steps in {@code conformance.json}.
 */
final class Fixtures implements Examples {
    private static final String FILE = "conformance.json";
    private static final Pattern HOLE = Pattern.compile("\\$\\{([\\w.]+)}");
    private static final String PARAM_HEADER = "x-mcp-header";

    private final JsonNode all;
    private final Consumer<String> changed;

    /** {@code changed} announces that a list has changed. */
    Fixtures(Consumer<String> changed) {
        this.changed = changed;
        try (var in = Fixtures.class.getResourceAsStream(FILE)) {
            if (in == null) throw new IllegalStateException(FILE + " is not there");
            this.all = Json.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The fixtures of a list, without their steps. */
    @Override
    public List<Object> list(String kind) {
        var shown = new ArrayList<Object>();
        for (var each : all.get(kind)) {
            var fields = new LinkedHashMap<String, JsonNode>();
            for (var field : each.properties()) fields.put(field.getKey(), field.getValue());
            fields.keySet().removeAll(List.of("steps", "content"));
            shown.add(fields);
        }
        return shown;
    }

    @Override
    public Optional<Action> tool(Exchange x, Call call) throws BrokenCall {
        var found = named("tools", call);
        if (found.isEmpty()) return Optional.empty();
        var properties = found.get().path("inputSchema").path("properties");
        for (var property : properties.properties()) {
            var header = property.getValue().path(PARAM_HEADER);
            if (header.isMissingNode()) continue;
            var value = call.params().path("arguments").get(property.getKey());
            if (call.client().isStateless()) Versions.checkParam(x, header.asString(), value);
        }
        return found.map(tool -> action(tool, call));
    }

    @Override
    public Optional<Action> prompt(Call call) {
        return named("prompts", call).map(prompt -> action(prompt, call));
    }

    private Optional<JsonNode> named(String kind, Call call) {
        var name = Json.text(call.params(), "name");
        return all.get(kind)
                .valueStream()
                .filter(f -> f.get("name").asString().equals(name))
                .findFirst();
    }

    private Action action(JsonNode fixture, Call call) {
        var values = new HashMap<String, JsonNode>();
        values.put("arguments", call.params().path("arguments"));
        return channel -> {
            for (var step : fixture.get("steps")) {
                var done = step(step, values, channel);
                if (done != null) return done;
            }
            throw new IllegalStateException("no result: " + fixture);
        };
    }

    /** The content of a resource, fixed or with a parameter. */
    @Override
    public Optional<Object> resource(String uri) {
        for (var each : all.get("resources")) {
            if (each.get("uri").asString().equals(uri)) return Optional.of(content(uri, each, ""));
        }
        for (var each : all.get("resourceTemplates")) {
            var form = each.get("uriTemplate").asString().replace("{id}", "([^/]+)");
            var match = Pattern.compile(form).matcher(uri);
            if (match.matches()) return Optional.of(content(uri, each, match.group(1)));
        }
        return Optional.empty();
    }

    private static Object content(String uri, JsonNode fixture, String id) {
        var values = Map.of("arguments", Json.tree(Map.of("id", id)));
        var content = new LinkedHashMap<String, Object>();
        content.put("uri", uri);
        content.put("mimeType", fixture.get("mimeType"));
        for (var field : fixture.get("content").properties()) {
            content.put(field.getKey(), filled(field.getValue(), values));
        }
        return Map.of("contents", List.of(content));
    }

    /** Returns the result if the step is the last one. */
    private @Nullable Object step(JsonNode step, Map<String, JsonNode> values, Channel channel)
            throws BrokenCall, Unanswered, Cancelled, InterruptedException {
        var field = step.properties().iterator().next();
        var value = field.getValue();
        switch (field.getKey()) {
            case "log" -> channel.log("info", value.asString());
            case "progress" -> channel.progress(value.asInt(), 100, "Working");
            case "pause" -> pause(value.asLong(), channel);
            case "pause_seconds" -> {
                var arguments = values.getOrDefault("arguments", Json.object());
                var seconds = arguments.path(value.asString()).asDouble(0);
                pause((long) (seconds * 1000), channel);
            }
            case "ask" -> ask(filled(value, values), values, channel, true);
            case "ask_what_it_can" -> ask(filled(value, values), values, channel, false);
            case "task" -> {
                if (value.asString().equals("required")) channel.requireTasks();
                channel.later(null);
            }
            case "hang_up" -> channel.hangUp();
            case "changed" -> changed.accept(value.asString());
            case "fail" -> throw new BrokenCall(500, -32603, value.asString());
            case "result" -> {
                return filled(value, values);
            }
            default -> throw new IllegalStateException("unknown step " + step);
        }
        return null;
    }

    private static void ask(
            JsonNode asked, Map<String, JsonNode> values, Channel channel, boolean all)
            throws BrokenCall, Unanswered, Cancelled {
        var questions = new LinkedHashMap<String, Question>();
        for (var each : asked.properties()) {
            var question = Json.as(each.getValue(), Question.class);
            if (all || channel.client().can(question)) questions.put(each.getKey(), question);
        }
        values.put("answers", Json.tree(channel.ask(questions)));
    }

    private static void pause(long millis, Channel channel) throws Cancelled, InterruptedException {
        if (channel.isCancelledWithin(Duration.ofMillis(millis))) throw new Cancelled();
    }

    /** The value with its holes filled: {@code ${answers.name}} is the answer to that question. */
    private static JsonNode filled(JsonNode value, Map<String, JsonNode> values) {
        if (!value.isContainer() && !value.isString()) return value;
        if (value.isString()) {
            var text =
                    HOLE.matcher(value.asString())
                            .replaceAll(
                                    hole -> Matcher.quoteReplacement(found(hole.group(1), values)));
            return Json.tree(text);
        }
        if (value.isArray()) {
            return Json.tree(value.valueStream().map(inner -> filled(inner, values)).toList());
        }
        var fields = new LinkedHashMap<String, JsonNode>();
        for (var field : value.properties()) {
            fields.put(field.getKey(), filled(field.getValue(), values));
        }
        return Json.tree(fields);
    }

    private static String found(String path, Map<String, JsonNode> values) {
        var names = List.of(path.split("\\.", -1));
        var value = values.getOrDefault(names.getFirst(), Json.object());
        for (var name : names.subList(1, names.size())) value = value.path(name);
        return value.isValueNode() ? value.asString() : value.toString();
    }
}
