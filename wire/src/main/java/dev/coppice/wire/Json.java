package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** JSON on the wire: names in snake case, every field written, unknown fields ignored. */
public final class Json {
    private static final int NESTING_DEPTH_MAX = 200;

    /** Made when it is first needed: most commands need it for nothing. */
    private static final class Mapper {
        private static final JsonFactory FACTORY =
                JsonFactory.builder()
                        .streamReadConstraints(
                                StreamReadConstraints.builder()
                                        .maxNestingDepth(NESTING_DEPTH_MAX)
                                        .build())
                        .build();
        private static final JsonMapper MAPPER =
                JsonMapper.builder(FACTORY)
                        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                        // Refuses 1.9 as an integer, and a number as a constant.
                        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                        .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                        .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
                        .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                        .build();
    }

    /** A lone surrogate, which JSON can hold only as an escape. */
    private static final Pattern HALF = Pattern.compile("[\\ud800-\\udfff]");

    private Json() {}

    /** The text is not JSON, or not of the expected shape. */
    public static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreadable(String message, Throwable cause) {
            super(message, cause);
        }

        Unreadable(String message) {
            super(message);
        }
    }

    public static String write(Object value) {
        return Mapper.MAPPER.writeValueAsString(value);
    }

    /** Reads the text token by token. */
    public static JsonParser parser(String text) {
        return Mapper.MAPPER.createParser(text);
    }

    /** True if the text has more tokens. Makes none of its values, which may not fit in memory. */
    public static boolean hasMoreTokens(byte[] text, long max) {
        // A token is at least a character long.
        if (text.length <= max) return false;
        try (var parser = Mapper.MAPPER.createParser(text)) {
            long found = 0;
            while (found <= max && parser.nextToken() != null) found++;
            return found > max;
        } catch (JacksonException e) {
            throw unreadable(e);
        }
    }

    /** The tokens of a value that is parsed already. */
    public static JsonParser tokens(JsonNode value) {
        return Mapper.MAPPER.treeAsTokens(value);
    }

    /** True if the text of an object that has the value as a field can be read again. */
    public static boolean fitsInside(JsonNode value) {
        return isWithin(value, NESTING_DEPTH_MAX - 1);
    }

    private static boolean isWithin(JsonNode value, int levels) {
        if (!value.isContainer()) return true;
        return levels > 0 && value.valueStream().allMatch(v -> isWithin(v, levels - 1));
    }

    /** Returns the exception for a text that cannot be read token by token. */
    public static Unreadable unreadable(JacksonException e) {
        return new Unreadable(shortly(e), e);
    }

    /** The text on several lines, for people. */
    public static String pretty(JsonNode value) {
        return value.toPrettyString();
    }

    public static byte[] bytes(Object value) {
        return Mapper.MAPPER.writeValueAsBytes(value);
    }

    /** The number of values in JSON, or more if its texts have brackets and commas. */
    public static long values(InputStream json) throws IOException {
        long found = 1;
        var piece = new byte[8_192];
        for (int n = json.read(piece); n >= 0; n = json.read(piece)) {
            for (int i = 0; i < n; i++) {
                switch (piece[i]) {
                    case ',', ':', '[', '{' -> found++;
                    default -> {
                        // Part of a value that was counted.
                    }
                }
            }
        }
        return found;
    }

    public static JsonNode read(String text) {
        try {
            return Mapper.MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new Unreadable(shortly(e), e);
        }
    }

    /** Returns stored text as a value of an answer, only for writing: a tree takes more memory. */
    public static JsonNode stored(String text) {
        try (var parser = Mapper.MAPPER.createParser(text)) {
            parser.nextToken();
            return raw(copied(parser));
        } catch (JacksonException e) {
            throw unreadable(e);
        }
    }

    /** The fields of an object that is stored, each as a value of an answer. */
    public static Map<String, JsonNode> storedFields(String object) {
        var found = new LinkedHashMap<String, JsonNode>();
        try (var parser = Mapper.MAPPER.createParser(object)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) throw new Unreadable("no object");
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                var name = parser.currentName();
                boolean isText = parser.nextToken() == JsonToken.VALUE_STRING;
                found.put(
                        name,
                        isText
                                ? JsonNodeFactory.instance.stringNode(parser.getString())
                                : raw(copied(parser)));
            }
        } catch (JacksonException e) {
            throw unreadable(e);
        }
        return found;
    }

    private static JsonNode raw(String text) {
        return JsonNodeFactory.instance.rawValueNode(new RawValue(text));
    }

    /** Copies the current value of a parser to a text on one line. */
    private static String copied(JsonParser parser) {
        var out = new StringWriter();
        try (var generator = Mapper.MAPPER.createGenerator(out)) {
            generator.copyCurrentStructureExact(parser);
        }
        return encodable(out.toString());
    }

    private static String encodable(String text) {
        boolean isWhole = StandardCharsets.UTF_8.newEncoder().canEncode(text);
        return isWhole
                ? text
                : HALF.matcher(text)
                        .replaceAll(half -> "\\\\u%04x".formatted((int) half.group().charAt(0)));
    }

    public static JsonNode read(byte[] text) {
        try {
            return Mapper.MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new Unreadable(shortly(e), e);
        }
    }

    public static <T> T as(JsonNode node, Class<T> type) {
        if (type.isSealed()) return type.cast(as(node, fitting(node, type)));
        try {
            return Mapper.MAPPER.treeToValue(node, type);
        } catch (JacksonException e) {
            throw new Unreadable(shortly(e), e);
        }
    }

    /** The permitted record whose required fields are all present; of several, the largest. */
    private static Class<?> fitting(JsonNode node, Class<?> type) {
        Class<?> best = null;
        int most = -1;
        for (var option : type.getPermittedSubclasses()) {
            var required =
                    Shape.of(option).parts().stream().filter(Shape.Part::isRequired).toList();
            boolean fits = required.stream().allMatch(part -> node.has(part.name()));
            if (fits && required.size() > most) {
                best = option;
                most = required.size();
            }
        }
        if (best == null) throw new Unreadable("fits no form of " + type.getSimpleName());
        return best;
    }

    public static <T> T as(String text, Class<T> type) {
        return as(read(text), type);
    }

    public static JsonNode tree(@Nullable Object value) {
        return Mapper.MAPPER.valueToTree(value);
    }

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** The text parsed as JSON; null if it is not JSON. */
    public static @Nullable JsonNode valueOf(String text) {
        var trimmed = text.strip();
        if (trimmed.isEmpty()) return null;
        try {
            return Mapper.MAPPER.readTree(trimmed);
        } catch (JacksonException _) {
            return null;
        }
    }

    public static @Nullable String text(JsonNode object, String field) {
        var node = object.get(field);
        if (node == null || node.isNull()) return null;
        if (node.isValueNode()) return node.asString();
        throw new Unreadable("%s is not a text".formatted(field));
    }

    /** The text of a field, for messages of foreign programs; null if it has another type. */
    public static @Nullable String textIfAny(JsonNode object, String field) {
        var node = object.path(field);
        return node.isValueNode() && !node.isNull() ? node.asString() : null;
    }

    private static String shortly(JacksonException e) {
        var at = e.getLocation();
        var message = e.getOriginalMessage();
        return at == null || at.getLineNr() < 1
                ? message
                : "%s at line %d, column %d".formatted(message, at.getLineNr(), at.getColumnNr());
    }
}
