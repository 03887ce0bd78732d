package dev.coppice.mcp;

import dev.coppice.web.Exchange;
import dev.coppice.web.Method;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A route in the words of a tool. */
interface Tool {
    /** How clients list it: what it is for, what it takes, and whether it changes anything. */
    ObjectNode shown();

    Arguments.Schema takes();

    Asked asks(Arguments arguments);

    /** What the coordinator's answer comes to. */
    Answer answer(JsonNode body);

    /** What a refusal comes to, where it says that there is nothing left to do. */
    default @Nullable Answer refused(JsonNode problem) {
        return null;
    }

    /** What there is to tell on the way to the end, in the order of what is asked. */
    default List<Step> steps(Arguments arguments) {
        return List.of();
    }

    /** What it has passed on the way, once it is done: too quick to be seen, it is told then. */
    default List<Step> passed(JsonNode body) {
        return List.of();
    }

    /** How far it has come when this is done, in percent. */
    record Step(int percent, String said) {}

    /** What is asked of the coordinator. */
    record Asked(Method method, String path, Map<String, String> queries) {
        Exchange.Request with(Map<String, String> headers) {
            return new Exchange.Request(method, path, queries, headers, "");
        }
    }

    /** In a sentence for whoever reads, and as a value; whether it was done. */
    record Answer(boolean done, String said, JsonNode value) {}

    static String segment(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static ObjectNode shown(String name, String title, String description) {
        return Json.object().put("name", name).put("title", title).put("description", description);
    }
}
