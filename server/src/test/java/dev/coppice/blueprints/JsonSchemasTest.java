package dev.coppice.blueprints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.coppice.kernel.JsonText;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.Executors;

/** A schema that cannot be checked in time is refused, or its check is abandoned. */
class JsonSchemasTest {
    private final JsonSchemas schemas = new JsonSchemas();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'#'}",
                "{'allOf':[{'$ref':'#/$defs/a'}],'$defs':{'a':{'anyOf':[{'$ref':'#'}]}}}",
                "{'$schema':'https://example.org/mine'}",
                "{'$schema':7}",
                "{'properties':{'a':{'$ref':'http://127.0.0.1:9/secret'}}}",
                "{'properties':{'a':{'$ref':'file:///etc/passwd'}}}",
                "{'properties':{'a':{'$ref':'#/$defs/none'}}}",
                "{'pattern':'(?=a)b'}",
                "{'pattern':'(a)\\\\1'}",
                "{'patternProperties':{'(?<!x)':{}}}",
                "{'type':'nothing'}"
            })
    void an_unusable_schema_is_refused_when_it_is_written(String schema) {
        assertThat(schemas.faults(json(schema))).isNotEmpty();
    }

    @Test
    void a_schema_that_doubles_at_every_step_is_refused() {
        var text = new StringBuilder("{\"$ref\":\"#/$defs/a0\",\"$defs\":{");
        for (int i = 0; i < 30; i++) {
            var next = "{\"$ref\":\"#/$defs/a%d\"}".formatted(i + 1);
            text.append("\"a%d\":{\"allOf\":[%s,%s]},".formatted(i, next, next));
        }
        text.append("\"a30\":{}}}");
        assertThat(schemas.faults(new JsonText(text.toString()))).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'object','properties':{'kids':{'type':'array','items':{'$ref':'#'}}}}",
                "{'$schema':'https://json-schema.org/draft/2020-12/schema','$defs':{'n':{'$anchor':'n','type':'integer'}},'properties':{'a':{'$ref':'#n'}}}",
                "{'pattern':'^[a-z]+\\\\d{2,4}$'}"
            })
    void a_schema_that_refers_to_itself_at_a_lower_level_is_accepted(String schema) {
        assertThat(schemas.faults(json(schema))).isEmpty();
    }

    @Test
    void a_pattern_takes_time_in_proportion_to_the_text() {
        var schema = json("{'pattern':'^(a+)+$'}");
        assertThat(schemas.faults(schema)).isEmpty();
        var value = Json.tree("a".repeat(50_000) + "!");
        assertThat(schemas.violations(schema, value))
                .singleElement()
                .satisfies(v -> assertThat(v.message()).doesNotContain("could not be checked"));
    }

    /** The work doubles with each level of the value. */
    @Test
    void a_check_that_takes_too_long_is_abandoned() {
        var twice = json("{'items':{'allOf':[{'$ref':'#'},{'$ref':'#'}]}}");
        var value = Json.read("[".repeat(60) + "1" + "]".repeat(60));
        // More checks than slots: an abandoned check must free its slot.
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 5; i++) {
                threads.execute(() -> {
                    var _ = catchThrowable(() -> schemas.violations(twice, value));
                });
            }
        }
        assertThat(schemas.violations(twice, value))
                .singleElement()
                .satisfies(v -> assertThat(v.message()).contains("could not be checked"));
        assertThat(schemas.violations(json("{'type':'string'}"), Json.tree("x"))).isEmpty();
    }

    private static JsonText json(String text) {
        return new JsonText(text.replace('\'', '"'));
    }
}
