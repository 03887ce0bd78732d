package dev.coppice.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.WireClasses;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.event.EventView;
import dev.coppice.wire.fleet.Polled;
import dev.coppice.wire.fleet.RunReport;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A client reads each record of the wire as the mapper does, or leaves it to the mapper. */
class ReadingTest {
    private static @Nullable Object sample(Type type, int depth) {
        if (type instanceof ParameterizedType generic) {
            var last =
                    generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            var inside = depth == 0 ? null : sample(last, depth - 1);
            if (inside == null) return generic.getRawType() == Map.class ? Map.of() : List.of();
            return generic.getRawType() == Map.class ? Map.of("key", inside) : List.of(inside);
        }
        if (!(type instanceof Class<?> of)) return null;
        if (of == String.class) return "some \\ \"text\"";
        if (of == int.class || of == Integer.class) return 7;
        if (of == long.class || of == Long.class) return 5_000_000_000L;
        if (of == double.class || of == Double.class) return 1.5;
        if (of == boolean.class || of == Boolean.class) return true;
        if (of == JsonNode.class) return Json.read("{\"a\":[1,null,\"x\",{}]}");
        if (of == Length.class) return new Length(Duration.ofSeconds(5));
        if (of.isEnum()) return of.getEnumConstants()[0];
        return of.isRecord() && depth > 0 ? instance(of, depth - 1) : null;
    }

    /** A record with a value in each component; null if it refuses them. */
    private static @Nullable Object instance(Class<?> type, int depth) {
        var components = type.getRecordComponents();
        var values =
                Arrays.stream(components).map(c -> sample(c.getGenericType(), depth)).toArray();
        try {
            var types = Arrays.stream(components).map(c -> c.getType()).toArray(Class<?>[]::new);
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException | IllegalArgumentException _) {
            return null;
        }
    }

    private static @Nullable Object byMapper(String json, Class<?> type) {
        try {
            return Json.as(json, type);
        } catch (Json.Unreadable _) {
            return null;
        }
    }

    private static int compared(String json, Class<?> type) {
        var expected = byMapper(json, type);
        var plain = PlainJson.read(json);
        var made = plain == null ? null : Reading.as(plain, type);
        if (made == null) return 0;
        assertThat(made).as("%s as %s", json, type.getSimpleName()).isEqualTo(expected);
        return 1;
    }

    @Test
    void every_record_is_read_as_by_the_mapper() {
        int read = 0;
        for (var type : WireClasses.all()) {
            boolean isShape = type.getName().contains("wire.Shape");
            if (!type.isRecord() || type == Length.class || isShape) continue;
            var made = instance(type, 3);
            if (made == null) continue;
            var json = Json.write(made);
            read += compared(json, type);
            compared(json.replaceAll("\"some[^,}]*", "null"), type);
            compared("{}", type);
        }
        assertThat(read).isGreaterThan(100);
    }

    @Test
    void a_record_of_several_that_fit_is_chosen_as_by_the_mapper() {
        int read = 0;
        for (var type : WireClasses.all()) {
            // A client writes reports of runs, and reads none.
            if (!type.isSealed() || type == RunReport.class) continue;
            for (var form : type.getPermittedSubclasses()) {
                var made = form.isRecord() ? instance(form, 3) : null;
                if (made == null) continue;
                read += compared(Json.write(made), type);
                compared(Json.write(made).replaceAll("\"some[^,}]*", "null"), type);
            }
        }
        assertThat(read).isGreaterThan(5);
        for (var json : List.of("{}", "{\"run\":{}}", "{\"renew\":true,\"later\":1}")) {
            compared(json, Polled.class);
        }
    }

    @Test
    void an_event_is_read_with_its_details() {
        var json =
                """
                {"id":7,"session_id":"s1","run_id":null,"event_type":"message","timestamp":"t",
                 "role":"assistant","content":[{"type":"text","text":"hi"}],"nothing":null,"n":3}
                """;
        assertThat(compared(json, EventView.class)).isEqualTo(1);
        assertThat(
                        compared(
                                "{\"events\":[" + json + "],\"next\":null,\"cut\":false}",
                                EventCalls.Page.class))
                .isEqualTo(1);
        compared(json.replace("\"id\":7", "\"id\":null"), EventView.class);
        compared(json.replace("\"role\"", "\"details\""), EventView.class);
        compared(json.replace("\"message\"", "{}"), EventView.class);
    }

    @Test
    void a_plain_tree_is_written_as_by_the_mapper() {
        var all =
                List.of(
                        "{\"a\":[1,-5000000000,true,null,\"x\\ny\\\"\\\\/\"],\"ä€\":{},\"b\":[]}",
                        "[]",
                        "{}",
                        "[{\"a\":{\"b\":[[]]}},\"\"]");
        for (var json : all) {
            assertThat(PlainWriting.of(Json.read(json))).isEqualTo(Json.write(Json.read(json)));
        }
        for (var json : List.of("[1.5]", "[\"\\u0001\"]", "{\"\\ud83d\\ude00\":1}", "[1e3]")) {
            assertThat(PlainWriting.of(Json.read(json))).isNull();
        }
    }
}
