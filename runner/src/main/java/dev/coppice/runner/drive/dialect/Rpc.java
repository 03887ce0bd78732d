package dev.coppice.runner.drive.dialect;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Requests and answers of JSON-RPC with a program, one message on each line. */
final class Rpc {
    private static final int NO_METHOD = -32601;

    private final Pen pen;
    private final Map<String, ?> envelope;
    private final Map<Long, Asked> open = new HashMap<>();
    private long asked;

    /** {@code envelope} has the fields of every message. */
    Rpc(Pen pen, Map<String, ?> envelope) {
        this.pen = pen;
        this.envelope = envelope;
    }

    private record Asked(Consumer<JsonNode> then, Consumer<JsonNode> failed) {}

    private void write(Map<String, ?> fields) {
        var message = new LinkedHashMap<String, Object>(envelope);
        message.putAll(fields);
        pen.write(message);
    }

    /** Sends a request. {@code then} gets the result, or {@code failed} the error. */
    void ask(
            String method,
            Map<String, ?> params,
            Consumer<JsonNode> then,
            Consumer<JsonNode> failed) {
        long id = ++asked;
        open.put(id, new Asked(then, failed));
        write(Map.of("id", id, "method", method, "params", params));
    }

    void tell(String method, Map<String, ?> params) {
        write(Map.of("method", method, "params", params));
    }

    void respond(JsonNode id, Map<String, ?> result) {
        write(Map.of("id", id, "result", result));
    }

    /** Refuses a request of the program that the driver does not support. */
    void refuse(JsonNode id, String method) {
        var error = Map.of("code", NO_METHOD, "message", "this driver has no method " + method);
        write(Map.of("id", id, "error", error));
    }

    /** Handles the answer to a request of the driver; false if the message is none. */
    boolean heard(JsonNode message) {
        var id = message.get("id");
        if (id == null || message.has("method")) return false;
        @Nullable Asked answered = open.remove(id.asLong(0));
        if (answered == null) return true;
        if (message.hasNonNull("error")) answered.failed().accept(message.get("error"));
        else answered.then().accept(message.path("result"));
        return true;
    }
}
