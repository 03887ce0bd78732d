package dev.coppice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.List;

/** The fields of a record on the wire, as requests, OpenAPI and the tools of MCP see them. */
class ShapeTest {
    private record Edge(String parentName, @Nullable Integer weight) {}

    private record Tail(@Field(value = "its size", fallback = "100") int limit) {}

    private record Inner(@Nullable String after, @Inline Tail tail) {}

    private record Outer(
            String sessionId,
            @Field(value = "how long", name = "wait") @Nullable Length length,
            @Inline Inner page,
            @Nullable Edge edge,
            @Nullable List<Edge> edges) {}

    private static final Shape SHAPE = Shape.of(Outer.class);

    private static Shape.Part part(String name) {
        return SHAPE.flat().stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void the_fields_of_inlined_records_stand_in_their_place() {
        assertThat(SHAPE.names())
                .containsExactly("session_id", "wait", "after", "limit", "edge", "edges");
    }

    @ParameterizedTest
    @CsvSource({
        "session_id, true",
        "wait, false",
        "after, false",
        // A field with a default need not be given.
        "limit, false",
        "edge, false"
    })
    void a_field_is_required_without_a_default_unless_it_can_be_null(
            String name, boolean isRequired) {
        assertThat(part(name).isRequired()).isEqualTo(isRequired);
    }

    @Test
    void an_inlined_record_is_no_field_of_its_own() {
        assertThat(SHAPE.parts())
                .filteredOn(p -> p.inline() != null)
                .extracting(Shape.Part::isRequired)
                .containsExactly(false);
    }

    @Test
    void the_values_of_a_record_are_in_the_order_of_its_fields() {
        var edge = new Edge("plan", null);
        var outer = new Outer("s", null, new Inner("c", new Tail(7)), edge, null);
        assertThat(SHAPE.values(outer)).containsExactly("s", null, "c", 7, edge, null);
    }

    @Test
    void a_record_is_made_from_the_values_of_its_parts() {
        assertThat(Shape.of(Edge.class).make(Arrays.asList("plan", null)))
                .isEqualTo(new Edge("plan", null));
    }

    @Test
    void a_record_that_refuses_a_value_is_not_made() {
        assertThatThrownBy(() -> Shape.of(Edge.class).make(List.of("plan")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static @Nullable String unknown(String object) {
        var unknown = SHAPE.unknownIn(Json.read(object));
        return unknown == null ? null : unknown.field();
    }

    @Test
    void a_field_without_a_meaning_is_named_with_its_place() {
        assertThat(unknown("{\"session_id\":1,\"limit\":2}")).isNull();
        assertThat(unknown("{\"sessionId\":1}")).isEqualTo("sessionId");
        assertThat(unknown("{\"length\":1}")).isEqualTo("length");
        assertThat(unknown("{\"page\":{}}")).isEqualTo("page");
        assertThat(unknown("{\"edge\":{\"parent_name\":1,\"odd\":2}}")).isEqualTo("edge.odd");
    }

    @Test
    void the_fields_that_could_have_been_meant_are_those_of_the_same_place() {
        var unknown = SHAPE.unknownIn(Json.read("{\"edge\":{\"odd\":2}}"));
        assertThat(unknown)
                .isEqualTo(new Shape.Unknown("edge.odd", List.of("parent_name", "weight")));
    }

    @Test
    void a_value_that_is_no_object_has_no_unknown_field() {
        assertThat(unknown("{\"edge\":[{\"odd\":1}]}")).isNull();
    }

    @Test
    void only_a_record_has_a_shape() {
        assertThatThrownBy(() -> Shape.of(String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a record");
    }

    @ParameterizedTest
    @CsvSource({
        "sessionId, session_id",
        "id, id",
        "maxURL, max_url",
        "sha256, sha256",
        "sha256Sum, sha256_sum",
        "cacheWrite1h, cache_write1h",
        "aB, a_b"
    })
    void words_of_a_name_are_joined_with_underscores(String name, String snake) {
        assertThat(Shape.snake(name)).isEqualTo(snake);
    }

    @Test
    void a_code_of_a_newer_coordinator_is_unknown() {
        assertThat(Code.of("session_unknown")).contains(Code.SESSION_UNKNOWN);
        assertThat(Code.of("SESSION_UNKNOWN")).isEmpty();
        assertThat(Code.of("coffee_is_out")).isEmpty();
    }
}
