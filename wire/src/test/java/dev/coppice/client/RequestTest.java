package dev.coppice.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.Method;
import dev.coppice.wire.Paging;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** The place of each field of a call in its request. */
class RequestTest {
    private enum Mood {
        AT_WORK,
        IDLE
    }

    private record At(String sessionId) {}

    private record Find(
            String sessionId, @Nullable List<Mood> moods, boolean all, @Inline Paging page) {}

    private record Change(
            String sessionId,
            @Nullable Length deadline,
            @Nullable List<String> tags,
            @Nullable Mood mood,
            @Field(value = "how long", in = Field.In.QUERY, name = "wait")
                    @Nullable Length length) {}

    private record Whole(
            String name, @Field(value = "all", in = Field.In.WHOLE_BODY) JsonNode it) {}

    private static final Call<At, Call.Empty> READ =
            Call.get("read", "/sessions/{session_id}/result", At.class, Call.Empty.class, "Read");
    private static final Call<Find, Call.Empty> FIND =
            Call.get("find", "/sessions/{session_id}", Find.class, Call.Empty.class, "Find");
    private static final Call<Change, Call.Empty> CHANGE =
            Call.post("change", "/sessions/{session_id}", Change.class, Call.Empty.class, "Change")
                    .by(Method.PATCH);
    private static final Call<Whole, Call.Empty> REPLACE =
            Call.post("replace", "/agents/{name}", Whole.class, Call.Empty.class, "Replace");

    private static String path(String id) {
        return Request.of(READ, new At(id)).path();
    }

    @ParameterizedTest
    @CsvSource({
        "plan, plan",
        "a b, a%20b",
        "a/b, a%2Fb",
        "a?b=c&d#e, a%3Fb%3Dc%26d%23e",
        "a+b, a%2Bb",
        "a%2Fb, a%252Fb",
        "計, %E8%A8%88",
        "{session_id}, %7Bsession_id%7D",
        "a.b:c, a.b%3Ac"
    })
    void a_value_in_a_path_is_one_segment(String id, String segment) {
        assertThat(path(id)).isEqualTo("/sessions/%s/result", segment);
    }

    @Test
    void without_a_body_the_other_fields_are_a_query() {
        var find = new Find("plan", List.of(Mood.AT_WORK, Mood.IDLE), true, new Paging("c/1", 7));
        assertThat(Request.of(FIND, find))
                .isEqualTo(
                        new Request(
                                "GET",
                                "/sessions/plan?moods=at_work%2Cidle&all=true&after=c%2F1&limit=7",
                                null));
    }

    @Test
    void what_is_absent_is_not_in_the_query() {
        assertThat(Request.of(FIND, new Find("plan", null, false, Paging.FIRST)).path())
                .isEqualTo("/sessions/plan?all=false&limit=100");
    }

    @Test
    void with_a_body_the_other_fields_are_there_except_those_of_the_query() {
        var change =
                new Change(
                        "plan", Length.of("2m"), List.of("a,b", "c"), Mood.IDLE, Length.of("1h"));
        assertThat(Request.of(CHANGE, change))
                .isEqualTo(
                        new Request(
                                "PATCH",
                                "/sessions/plan?wait=3600s",
                                Json.read(
                                        """
                                        {"deadline":"120s","tags":["a,b","c"],"mood":"idle"}
                                        """)));
    }

    /** A null would lift what is set; an absent field leaves it alone. */
    @Test
    void what_is_absent_is_not_in_the_body() {
        var request = Request.of(CHANGE, new Change("plan", null, null, null, null));
        assertThat(request.path()).isEqualTo("/sessions/plan");
        assertThat(request.body()).isEqualTo(Json.object());
    }

    @Test
    void a_field_can_be_the_whole_body() {
        var document = Json.read("[1,{\"name\":\"x\"}]");
        assertThat(Request.of(REPLACE, new Whole("sh", document)))
                .isEqualTo(new Request("POST", "/agents/sh", document));
    }
}
