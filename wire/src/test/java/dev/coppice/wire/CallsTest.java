package dev.coppice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.PropertyNamingStrategies;

import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.URI;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The rules that each declared operation keeps, so that a request can be made of its record and
 * found by a server: the list is that of the compiled classes, and complete.
 */
class CallsTest {
    private static final Pattern PLACE = Pattern.compile("\\{([^}]*)}");
    private static final List<Call<?, ?>> ALL = calls();

    private static List<Call<?, ?>> calls() {
        var found = new LinkedHashSet<Call<?, ?>>();
        for (var type : WireClasses.all()) {
            for (var field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) || field.getType() != Call.class)
                    continue;
                try {
                    field.setAccessible(true);
                    found.add((Call<?, ?>) field.get(null));
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return List.copyOf(found);
    }

    private static Set<String> places(Call<?, ?> call) {
        return PLACE.matcher(call.path())
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
    }

    private static List<Shape.Part> fields(Call<?, ?> call) {
        return Shape.of(call.input()).flat();
    }

    @Test
    void the_list_is_not_empty() {
        assertThat(ALL).hasSizeGreaterThan(100);
    }

    @Test
    void no_two_operations_have_one_name_or_one_place() {
        assertThat(ALL).extracting(Call::name).doesNotHaveDuplicates();
        assertThat(ALL)
                .extracting(
                        call -> call.method() + " " + PLACE.matcher(call.path()).replaceAll("{}"))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_path_is_one_that_a_request_can_have() {
        for (var call : ALL) {
            var path = PLACE.matcher(call.path()).replaceAll("x");
            assertThat(path).as(call.name()).startsWith("/").doesNotContain("{", "}", "?", " ");
            assertThat(URI.create("http://h").resolve(path).getRawPath()).isEqualTo(path);
        }
    }

    /** A place without a field would stay in the path; one that can be null might. */
    @Test
    void every_place_of_a_path_is_a_required_field() {
        for (var call : ALL) {
            var required =
                    fields(call).stream()
                            .filter(Shape.Part::isRequired)
                            .map(Shape.Part::name)
                            .toList();
            assertThat(required).as(call.name() + " " + call.path()).containsAll(places(call));
        }
    }

    @Test
    void no_request_has_two_fields_of_one_name() {
        for (var call : ALL) {
            assertThat(Shape.of(call.input()).names()).as(call.name()).doesNotHaveDuplicates();
        }
    }

    @Test
    void a_request_without_a_body_has_no_field_there() {
        for (var call : ALL) {
            if (!call.method().isBare()) continue;
            assertThat(fields(call))
                    .as(call.name())
                    .extracting(call::where)
                    .isSubsetOf(Call.Where.PATH, Call.Where.QUERY);
        }
    }

    @Test
    void a_field_that_is_the_whole_body_is_alone_there() {
        for (var call : ALL) {
            var inBody =
                    fields(call).stream()
                            .map(call::where)
                            .filter(w -> w == Call.Where.BODY || w == Call.Where.WHOLE_BODY)
                            .toList();
            if (inBody.contains(Call.Where.WHOLE_BODY))
                assertThat(inBody).as(call.name()).hasSize(1);
        }
    }

    /** A query has texts: a record or a document has no form there. */
    @Test
    void what_a_query_or_a_path_holds_is_a_word_or_a_list_of_words() {
        for (var call : ALL) {
            for (var part : fields(call)) {
                var where = call.where(part);
                if (where != Call.Where.QUERY && where != Call.Where.PATH) continue;
                assertThat(isWord(part.type())).as(call.name() + " " + part.name()).isTrue();
            }
        }
    }

    private static boolean isWord(Type type) {
        if (type instanceof ParameterizedType list) {
            return list.getRawType() == List.class && isWord(list.getActualTypeArguments()[0]);
        }
        return type instanceof Class<?> plain
                && (plain.isPrimitive()
                        || plain.isEnum()
                        || plain.getName().startsWith("java.")
                        || plain == Length.class);
    }

    @Test
    void a_default_can_be_read_as_the_type_of_its_field_and_within_its_bounds() {
        for (var call : ALL) {
            for (var part : fields(call)) {
                var field = part.field();
                if (field.fallback().isEmpty()) continue;
                var about = call.name() + " " + part.name() + " = " + field.fallback();
                if (part.type() instanceof Class<?> type && type.isEnum()) {
                    assertThat(
                                    Arrays.stream(type.getEnumConstants())
                                            .map(c -> Shape.word((Enum<?>) c)))
                            .as(about)
                            .contains(field.fallback());
                } else if (part.type() == int.class || part.type() == long.class) {
                    assertThat(Long.parseLong(field.fallback()))
                            .as(about)
                            .isBetween(field.min(), field.max());
                } else if (part.type() == Length.class) {
                    assertThat(Length.read(field.fallback())).as(about).isNotNull();
                }
            }
        }
    }

    /** The server reads requests by their shape, and Jackson reads and writes the rest. */
    @Test
    void both_readers_of_a_record_know_its_fields_by_the_same_names() {
        var jackson = new PropertyNamingStrategies.SnakeCaseStrategy();
        var names = new HashSet<String>();
        for (var type : WireClasses.all()) {
            if (!type.isRecord()) continue;
            for (var part : type.getRecordComponents()) names.add(part.getName());
        }
        assertThat(names).hasSizeGreaterThan(300);
        assertThat(names)
                .allSatisfy(n ->
                        assertThat(Shape.snake(n)).isEqualTo(jackson.nameForField(null, null, n)));
    }

    /** A name of its own is only known to the shape, so an answer would be written without it. */
    @Test
    void no_field_of_an_answer_has_a_name_of_its_own() {
        var seen = new HashSet<Class<?>>();
        for (var call : ALL) gather(call.output(), seen);
        assertThat(seen).hasSizeGreaterThan(80);
        assertThat(seen)
                .allSatisfy(type ->
                        assertThat(Shape.of(type).parts())
                                .allMatch(part -> part.field().name().isEmpty()));
    }

    /** The records in a type, and those in their fields. */
    private static void gather(Type type, Set<Class<?>> seen) {
        if (type instanceof ParameterizedType of) {
            for (var argument : of.getActualTypeArguments()) gather(argument, seen);
        }
        if (!(type instanceof Class<?> plain)) return;
        if (plain.isSealed()) for (var form : plain.getPermittedSubclasses()) gather(form, seen);
        if (!plain.isRecord() || !seen.add(plain)) return;
        for (var part : plain.getRecordComponents()) gather(part.getGenericType(), seen);
    }

    /** The client reads no annotation for such a request. */
    @Test
    void plain_fields_of_requests_without_a_body_have_their_usual_name_and_place() {
        for (var call : ALL) {
            if (!call.method().isBare()) continue;
            for (var part : fields(call)) {
                var type = part.component().getType();
                if (type.isRecord() && type != Paging.class) continue;
                assertThat(part.name()).isEqualTo(Shape.snake(part.component().getName()));
                assertThat(call.where(part)).isIn(Call.Where.PATH, Call.Where.QUERY);
            }
        }
    }
}
