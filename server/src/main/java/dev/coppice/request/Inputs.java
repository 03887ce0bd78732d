package dev.coppice.request;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.wire.Field;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Reads the input record of an operation, and rejects values that its fields do not allow. All
 * faces share one grammar: a text is accepted in place of a number, a boolean, a word or a list,
 * because queries carry only text.
 */
public final class Inputs {
    /** The text of every double is shorter, and its power of ten smaller. */
    private static final int DIGITS_MAX = 400;

    private Inputs() {}

    /** The source of the fields of a request. */
    public interface Source {
        /** The value of the field; null if it is absent. */
        @Nullable JsonNode value(Shape.Part part);

        /** Rejects a request with unknown fields. */
        default void check() {}
    }

    public static <I extends Record> I read(Class<I> type, Source source) {
        return type.cast(record(Shape.of(type), source, ""));
    }

    private static Object record(Shape shape, Source source, String prefix) {
        var values = new ArrayList<@Nullable Object>();
        for (var part : shape.parts()) {
            var inline = part.inline();
            values.add(
                    inline == null
                            ? value(part, source.value(part), prefix + part.name())
                            : record(inline, source, prefix));
        }
        return shape.make(values);
    }

    private static @Nullable Object value(Shape.Part part, @Nullable JsonNode given, String name) {
        var field = part.field();
        if (given != null && !isEmpty(given)) return convert(part.type(), field, given, name);
        if (part.need() == Shape.Part.Need.OPTIONAL) return null;
        if (!field.fallback().isEmpty()) {
            return convert(part.type(), field, Json.tree(field.fallback()), name);
        }
        if (part.type() instanceof Class<?> type && type.isPrimitive()) return zero(type);
        // A required text may be empty, unless it is a label.
        boolean isText = part.type() == String.class && field.chars() == 0;
        if (isText && given != null && !given.isNull()) return "";
        throw bad(name, "", "given");
    }

    /** An empty text counts as absent: queries and environments omit values that way. */
    private static boolean isEmpty(JsonNode given) {
        return given.isNull() || (given.isString() && given.asString().isEmpty());
    }

    private static Object zero(Class<?> type) {
        if (type == boolean.class) return false;
        return type == int.class ? (Object) 0 : (Object) 0L;
    }

    private static Object convert(Type type, Field field, JsonNode given, String name) {
        if (type instanceof ParameterizedType list) {
            return list(list.getActualTypeArguments()[0], field, given, name);
        }
        return switch (type) {
            case Class<?> c when c == String.class -> text(field, given, name);
            case Class<?> c when c == boolean.class || c == Boolean.class -> truth(given, name);
            case Class<?> c when c == int.class || c == Integer.class ->
                    (int) number(field, given, name, Integer.MAX_VALUE);
            case Class<?> c when c == long.class || c == Long.class ->
                    number(field, given, name, Long.MAX_VALUE);
            case Class<?> c when c == BigDecimal.class -> decimal(field, given, name);
            case Class<?> c when c == Length.class -> length(field, given, name);
            case Class<?> c when c == JsonNode.class -> json(field, given, name);
            case Class<?> c when c.isEnum() -> word(c, given, name);
            case Class<?> c when c.isRecord() -> {
                if (!given.isObject()) throw bad(name, given.toString(), "a JSON object");
                yield record(Shape.of(c), part -> given.get(part.name()), name + ".");
            }
            default -> throw new IllegalStateException(name + " has the type " + type);
        };
    }

    private static String text(Field field, JsonNode given, String name) {
        if (!given.isValueNode()) throw bad(name, given.toString(), "a text");
        var text = given.asString();
        int max = field.chars();
        if (max > 0 && (text.length() > max || text.chars().anyMatch(Character::isISOControl))) {
            throw bad(name, text, "at most %d characters, no control characters".formatted(max));
        }
        checkSize(field, text, name);
        return text;
    }

    private static void checkSize(Field field, String text, String name) {
        if (field.bytes() == 0) return;
        int size = Bounds.bytesOf(text);
        if (size > field.bytes()) {
            throw new Rejected(new RequestRefusal.TooLarge(name, size, field.bytes()));
        }
    }

    /** Accepts the spellings of many languages; anything else must not count as true. */
    private static Boolean truth(JsonNode given, String name) {
        return switch (said(given).toLowerCase(Locale.ROOT)) {
            case "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default -> throw bad(name, said(given), "true or false");
        };
    }

    private static String said(JsonNode given) {
        return given.isValueNode() ? given.asString() : given.toString();
    }

    private static long number(Field field, JsonNode given, String name, long most) {
        long min = field.min();
        long max = Math.min(field.max(), most);
        var rule =
                min == Long.MIN_VALUE
                        ? "a whole number"
                        : max == most
                                ? "a whole number, %d or more".formatted(min)
                                : "a whole number from %d to %d".formatted(min, max);
        var sent = numeral(said(given));
        try {
            long value = sent == null ? Long.MIN_VALUE : sent.longValueExact();
            if (sent != null && value >= min && value <= max) return value;
        } catch (ArithmeticException _) {
            // Reported below, with the rule for numbers out of bounds.
        }
        throw bad(name, said(given), rule);
    }

    /**
     * The number in a text; null if it has none or too many digits. Reading millions of digits
     * takes minutes, and writing out a large power of ten takes gigabytes.
     */
    private static @Nullable BigDecimal numeral(String text) {
        if (text.length() > DIGITS_MAX) return null;
        try {
            var number = new BigDecimal(text);
            int scale = number.scale();
            return scale <= DIGITS_MAX && scale >= -DIGITS_MAX ? number : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static BigDecimal decimal(Field field, JsonNode given, String name) {
        var rule = "a number from %d to %d".formatted(field.min(), field.max());
        var value = numeral(said(given));
        if (value != null
                && value.compareTo(BigDecimal.valueOf(field.min())) >= 0
                && value.compareTo(BigDecimal.valueOf(field.max())) <= 0) {
            return value;
        }
        throw bad(name, said(given), rule);
    }

    private static Length length(Field field, JsonNode given, String name) {
        var read = Length.read(said(given));
        boolean tooLong =
                read != null
                        && field.max() != Long.MAX_VALUE
                        && read.compareTo(Duration.ofSeconds(field.max())) > 0;
        boolean tooShort =
                read != null
                        && field.min() > 0
                        && read.compareTo(Duration.ofSeconds(field.min())) < 0;
        if (read != null && !tooLong && !tooShort) return new Length(read);
        var least = field.min() > 0 ? ", at least " + Length.ofSeconds(field.min()) : "";
        var most = field.max() < Long.MAX_VALUE ? ", at most " + spoken(field.max()) : "";
        throw bad(name, said(given), Length.RULE + least + most);
    }

    private static String spoken(long seconds) {
        if (seconds == 3600) return "an hour";
        if (seconds == 86_400) return "a day";
        return seconds % 86_400 == 0 ? seconds / 86_400 + " days" : seconds + " seconds";
    }

    private static JsonNode json(Field field, JsonNode given, String name) {
        if (field.bytes() == 0) return given;
        if (!given.isObject()) throw bad(name, given.toString(), "a JSON object");
        checkSize(field, given.toString(), name);
        return given;
    }

    private static Object word(Class<?> type, JsonNode given, String name) {
        var constants = type.getEnumConstants();
        for (var constant : constants) {
            if (Shape.word((Enum<?>) constant).equals(said(given))) return constant;
        }
        var words =
                Arrays.stream(constants)
                        .map(constant -> Shape.word((Enum<?>) constant))
                        .collect(Collectors.joining(", "));
        throw bad(name, said(given), "one of " + words);
    }

    private static List<Object> list(Type of, Field field, JsonNode given, String name) {
        var items = given;
        if (given.isString()) items = Json.tree(given.asString().split(",", -1));
        if (!items.isArray()) throw bad(name, given.toString(), "a list");
        if (items.size() < field.min() || items.size() > field.max()) {
            var rule = "a list of %d to %d".formatted(Math.max(0, field.min()), field.max());
            throw bad(name, items.size() + " of them", rule);
        }
        var list = new ArrayList<Object>();
        for (var item : items) {
            if (isEmpty(item)) throw bad(name, said(item), "a list without empty items");
            list.add(convert(of, field, item, name));
        }
        return List.copyOf(list);
    }

    private static Rejected bad(String field, String value, String rule) {
        return new Rejected(new RequestRefusal.BadValue(field, value, rule));
    }
}
