package dev.coppice.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.coppice.kernel.JsonText;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
        var schemas = hasty();
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

    /** Linear, but each character of the text costs as many steps as the pattern has. */
    @Test
    void a_check_ends_itself_within_one_pattern() {
        var schema = json("{'pattern':'(a?){1000}b'}");
        assertThat(schemas.faults(schema)).isEmpty();
        assertTooLong(schema, Json.tree("a".repeat(1_000_000)));
    }

    @Test
    void a_check_ends_itself_between_patterns_and_properties() {
        var patterns = IntStream.range(0, 1_000).mapToObj("\"x%d\":{}"::formatted);
        var schema = new JsonText("{\"patternProperties\":{%s}}".formatted(joined(patterns)));
        assertThat(schemas.faults(schema)).isEmpty();
        var properties = IntStream.range(0, 90_000).mapToObj("\"p%d\":1"::formatted);
        assertTooLong(schema, Json.read("{" + joined(properties) + "}"));
    }

    @Test
    void a_caller_waits_no_longer_for_a_check_that_goes_on() {
        var most = Duration.ofSeconds(5);
        var impatient = new JsonSchemas(most, most.negated());
        var value = Json.tree("a".repeat(1_000_000));
        assertThat(impatient.violations(json("{'pattern':'(a?){1000}b'}"), value))
                .singleElement()
                .satisfies(v -> assertThat(v.message()).endsWith("has not ended in time"));
    }

    /** The check says so itself, long before its caller would stop waiting for it. */
    private static void assertTooLong(JsonText schema, JsonNode value) {
        assertThat(hasty().violations(schema, value))
                .singleElement()
                .satisfies(v -> assertThat(v.message()).endsWith("the check takes too long"));
    }

    private static JsonSchemas hasty() {
        return new JsonSchemas(Duration.ofMillis(200), Duration.ofMinutes(5));
    }

    /** With a table of hashes, each text was compared with each. */
    @Test
    void texts_with_one_hash_are_told_apart_in_time() {
        var same =
                IntStream.range(0, 1 << 16)
                        .mapToObj(i ->
                                IntStream.range(0, 16)
                                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                                        .collect(Collectors.joining()))
                        .toList();
        assertThat(schemas.violations(json("{'uniqueItems':true}"), Json.tree(same))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1,1.0]",
                "[0,-0.0]",
                "[1e400,1e401]",
                "['a','b','a']",
                "[[],[]]",
                "[null,null]",
                "[{'a':1,'b':[2]},{'b':[2.0],'a':1}]"
            })
    void equal_items_are_not_unique(String items) {
        assertThat(unique(items)).isFalse();
    }

    @Test
    void different_items_are_unique() {
        assertThat(
                        unique(
                                "[1,'1',true,false,null,'null',[],{},[[]],['a','b'],['ab'],"
                                        + "['a'],{'a':1},{'a':'1'},{'a':1,'b':1},1e400,-1e400]"))
                .isTrue();
    }

    private boolean unique(String items) {
        var value = Json.read(json(items).value());
        return schemas.violations(json("{'uniqueItems':true}"), value).isEmpty();
    }

    /** Each would take gigabytes, or all of the time of a check. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a?){1000}){1000}",
                "(?:a{1000}|b){11,}",
                "(?:\\\\Q(\\\\E(?:a{100}){101}){101}",
                "(?i)[A-\uffe0]"
            })
    void a_pattern_that_grows_too_large_is_refused_before_it_is_compiled(String pattern) {
        assertThat(schemas.faults(json("{'pattern':'%s'}".formatted(pattern))))
                .singleElement()
                .satisfies(fault ->
                        assertThat(fault)
                                .contains(
                                        "steps, with its repeat counts and (?i); the limit is"
                                                + " 10000"));
    }

    @Test
    void a_schema_of_many_patterns_steps_or_values_is_refused() {
        assertRefused("\"p%d\":{\"pattern\":\"a\"}", 1_001, "1001 patterns; the limit is 1000");
        assertRefused("\"p%d\":{\"pattern\":\"(a?){1000}\"}", 20, "the limit is 30000");
        assertRefused("\"p%d\":{}", 20_000, "20002 values; the limit is 20000");
    }

    private void assertRefused(String property, int times, String why) {
        var properties = IntStream.range(0, times).mapToObj(property::formatted);
        var schema = new JsonText("{\"properties\":{%s}}".formatted(joined(properties)));
        assertThat(schemas.faults(schema))
                .singleElement()
                .satisfies(fault -> assertThat(fault).contains(why));
        // A schema of a file has had no check when it is first used.
        assertThat(new JsonSchemas().violations(schema, Json.object()))
                .singleElement()
                .satisfies(v -> assertThat(v.message()).contains("not be checked").contains(why));
    }

    @Test
    void a_value_that_must_be_a_pattern_may_not_be_a_large_one() {
        var schema = json("{'format':'regex'}");
        assertThat(schemas.violations(schema, Json.tree("a{1000}"))).isEmpty();
        assertThat(schemas.violations(schema, Json.tree("((a{1000}){1000}){10}"))).hasSize(1);
    }

    /** Each fault names all values of the list. */
    @Test
    void faults_that_repeat_a_long_part_of_the_schema_are_bounded() {
        var known = "\"%s\"".formatted("x".repeat(60_000));
        var schema = new JsonText("{\"items\":{\"enum\":[%s]}}".formatted(known));
        assertThat(schemas.violations(schema, Json.tree(Collections.nCopies(9_000, "y"))))
                .singleElement()
                .satisfies(v -> assertThat(v.message()).contains("characters of faults"));
    }

    /** Each keyword notes the names of all properties that it has checked. */
    @Test
    void what_a_check_remembers_is_bounded() {
        var keywords = Collections.nCopies(100, "{\"additionalProperties\":{}}").stream();
        var schema =
                new JsonText(
                        """
                        {"$schema":"https://json-schema.org/draft/2020-12/schema",
                        "allOf":[%s],"unevaluatedProperties":false}\
                        """
                                .formatted(joined(keywords)));
        assertThat(schemas.faults(schema)).isEmpty();
        var properties = IntStream.range(0, 10_000).mapToObj("\"p%d\":1"::formatted);
        assertThat(schemas.violations(schema, Json.read("{" + joined(properties) + "}")))
                .singleElement()
                .satisfies(v -> assertThat(v.message()).contains("properties to remember"));
    }

    @Test
    void compiled_schemas_are_cached_up_to_a_size() {
        for (int i = 0; i < 8; i++) {
            var kinds = Collections.nCopies(9_000, "{\"a\":%d}".formatted(i)).stream();
            var schema = new JsonText("{\"examples\":[%s]}".formatted(joined(kinds)));
            assertThat(schemas.violations(schema, Json.object())).isEmpty();
            assertThat(schemas.cachedBytes()).isBetween(1L, JsonSchemas.CACHED_BYTES_MAX);
        }
    }

    @Test
    void one_caller_leaves_places_for_others() throws Exception {
        var places = new CheckPlaces();
        assertThat(places.take("a", Duration.ZERO)).isTrue();
        assertThat(places.take("a", Duration.ZERO)).isTrue();
        assertThat(places.take("a", Duration.ZERO)).isFalse();
        assertThat(places.take("b", Duration.ZERO)).isTrue();
        assertThat(places.take(null, Duration.ZERO)).isTrue();
        assertThat(places.take("c", Duration.ZERO)).isFalse();
        places.give("a");
        assertThat(places.take("c", Duration.ZERO)).isTrue();
    }

    private static String joined(Stream<String> texts) {
        return texts.collect(Collectors.joining(","));
    }

    private static JsonText json(String text) {
        return new JsonText(text.replace('\'', '"'));
    }
}
