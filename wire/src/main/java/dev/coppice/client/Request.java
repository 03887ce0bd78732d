package dev.coppice.client;

import dev.coppice.wire.Call;
import dev.coppice.wire.Call.Where;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The input of a call as an HTTP request: its path with the query, and its body if it has one. */
record Request(String method, String path, @Nullable JsonNode body) {
    static <I extends Record> Request of(Call<I, ?> call, I input) {
        var parts = Shape.of(call.input()).flat();
        var values = Shape.of(call.input()).values(input);
        var path = call.path();
        var query = new StringBuilder();
        ObjectNode body = call.method().isBare() ? null : Json.object();
        JsonNode whole = null;
        for (int i = 0; i < parts.size(); i++) {
            var value = values.get(i);
            if (value == null) continue;
            var name = parts.get(i).name();
            switch (call.where(parts.get(i))) {
                case Where.PATH -> path = path.replace("{" + name + "}", encoded(text(value)));
                case Where.QUERY ->
                        query.append(query.isEmpty() ? '?' : '&')
                                .append(name)
                                .append('=')
                                .append(encoded(text(value)));
                case Where.BODY -> Objects.requireNonNull(body).set(name, Json.tree(value));
                case Where.WHOLE_BODY -> whole = Json.tree(value);
            }
        }
        return new Request(call.method().name(), path + query, whole == null ? body : whole);
    }

    private static String text(Object value) {
        return switch (value) {
            case Enum<?> word -> Shape.word(word);
            case List<?> list -> list.stream().map(Request::text).collect(Collectors.joining(","));
            default -> value.toString();
        };
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
