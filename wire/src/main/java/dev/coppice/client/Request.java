package dev.coppice.client;

import dev.coppice.wire.Call;
import dev.coppice.wire.Call.Where;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.lang.reflect.RecordComponent;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The input of a call as an HTTP request: its path with the query, and its body if it has one. */
record Request(String method, String path, @Nullable JsonNode body) {
    static <I extends Record> Request of(Call<I, ?> call, I input) {
        var request = new Builder(call);
        request.add(input);
        return request.built();
    }

    private static final class Builder {
        private final Call<?, ?> call;
        private final StringBuilder query = new StringBuilder();
        private final @Nullable ObjectNode body;
        private String path;
        private @Nullable JsonNode whole;

        Builder(Call<?, ?> call) {
            this.call = call;
            this.path = call.path();
            this.body = call.method().isBare() ? null : Json.object();
        }

        void add(Record record) {
            for (var component : record.getClass().getRecordComponents()) {
                var value = Shape.valueOf(component, record);
                if (value instanceof Paging page) add(page);
                else if (value != null) add(component, value);
            }
        }

        /**
         * Adds a value. A plain one of a request without a body is in the query by its usual name,
         * whatever its annotation says; the first annotation takes a command seven milliseconds.
         */
        private void add(RecordComponent component, Object value) {
            boolean isPlain =
                    value instanceof String
                            || value instanceof Number
                            || value instanceof Boolean
                            || value instanceof Enum<?>
                            || value instanceof List<?>;
            if (isPlain && body == null) {
                add(Shape.snake(component.getName()), value, Where.QUERY);
                return;
            }
            var part = Shape.part(component);
            if (part.inline() == null) add(part.name(), value, call.where(part));
            else add((Record) value);
        }

        private void add(String name, Object value, Where where) {
            var inPath = "{" + name + "}";
            if (path.contains(inPath)) {
                path = path.replace(inPath, encoded(text(value)));
                return;
            }
            switch (where) {
                case PATH, QUERY ->
                        query.append(query.isEmpty() ? '?' : '&')
                                .append(name)
                                .append('=')
                                .append(encoded(text(value)));
                case BODY -> Objects.requireNonNull(body).set(name, node(value));
                case WHOLE_BODY -> whole = Json.tree(value);
            }
        }

        Request built() {
            return new Request(call.method().name(), path + query, whole == null ? body : whole);
        }
    }

    /**
     * A value in a body. The mapper, which a command need not make for plain ones, makes others.
     */
    private static JsonNode node(Object value) {
        var nodes = JsonNodeFactory.instance;
        if (value instanceof String text) return nodes.stringNode(text);
        if (value instanceof Boolean truth) return nodes.booleanNode(truth);
        if (value instanceof Enum<?> word) return nodes.stringNode(Shape.word(word));
        if (value instanceof Length length) return nodes.stringNode(length.toString());
        if (value instanceof JsonNode node) return node;
        return Json.tree(value);
    }

    private static String text(Object value) {
        // A switch over types spins a class at each start of a command.
        if (value instanceof Enum<?> word) return Shape.word(word);
        return value instanceof List<?> list
                ? list.stream().map(Request::text).collect(Collectors.joining(","))
                : value.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
