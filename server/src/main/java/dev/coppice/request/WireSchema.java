package dev.coppice.request;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;

import dev.coppice.wire.Field;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.Shape;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** JSON Schemas of wire records, with the descriptions, bounds and defaults of their fields. */
public final class WireSchema {
    private final Map<String, ObjectNode> named = new TreeMap<>();

    /** The keywords that belong to the type of a value, and not to the field. */
    private static final List<String> OF_BRANCH =
            List.of("type", "enum", "items", "pattern", "minimum", "maximum");

    private final String prefix;
    private final Optionals optional;

    /** The ways in which a schema marks a field as optional. */
    public enum Optionals {
        /** Null is one of its types. */
        TYPES,
        /** Null is a branch of its own: some readers expect one type per schema. */
        BRANCHES,
        /** The field is left out where it is absent, and is never null. */
        ABSENT
    }

    /** A reference to a schema is {@code prefix} and its name. */
    public WireSchema(String prefix) {
        this(prefix, Optionals.TYPES);
    }

    public WireSchema(String prefix, Optionals optional) {
        this.prefix = prefix;
        this.optional = optional;
    }

    /** The schemas that were referred to, by name. */
    public Map<String, ObjectNode> named() {
        return named;
    }

    public ObjectNode reference(Class<?> type) {
        var name = type.getName().substring(type.getPackageName().length() + 1).replace("$", "");
        if (!named.containsKey(name)) {
            named.put(name, Json.object());
            named.put(name, type.isSealed() ? oneOf(type) : object(type, _ -> true));
        }
        return Json.object().put("$ref", prefix + name);
    }

    private ObjectNode oneOf(Class<?> type) {
        var schema = Json.object();
        var options = schema.putArray("oneOf");
        for (var option : type.getPermittedSubclasses()) {
            options.add(value(option).orElseGet(() -> reference(option)));
        }
        return schema;
    }

    /** The schema of a record that is written as one of its fields. */
    private Optional<ObjectNode> value(Class<?> type) {
        return Shape.of(type).parts().stream()
                .filter(part -> part.component().getAccessor().isAnnotationPresent(JsonValue.class))
                .findFirst()
                .map(part -> schema(part.type()));
    }

    /** The schema of a record with the wanted fields, in place and not as a reference. */
    public ObjectNode object(Class<?> type, Predicate<Shape.Part> wanted) {
        var value = value(type);
        if (value.isPresent()) return value.get();
        var schema = Json.object().put("type", "object");
        var properties = Json.object();
        var required = Json.object().putArray("required");
        for (var part : Shape.of(type).flat()) {
            if (part.component().getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                var inner = object((Class<?>) part.type(), wanted);
                inner.get("properties")
                        .properties()
                        .forEach(f -> properties.set(f.getKey(), f.getValue()));
                inner.path("required").forEach(required::add);
            } else if (part.component().getAccessor().isAnnotationPresent(JsonAnyGetter.class)) {
                schema.put("additionalProperties", true);
            } else if (wanted.test(part)) {
                properties.set(part.name(), field(part));
                if (part.isRequired()) required.add(part.name());
            }
        }
        schema.set("properties", properties);
        if (!required.isEmpty()) schema.set("required", required);
        return schema;
    }

    /** The schema of one field. */
    public ObjectNode field(Shape.Part part) {
        var schema = schema(part.type());
        var field = part.field();
        if (!field.value().isEmpty()) schema.put("description", field.value());
        if (!field.example().isEmpty())
            schema.putArray("examples").add(typed(schema, field.example()));
        if (!field.fallback().isEmpty()) schema.set("default", typed(schema, field.fallback()));
        bounds(schema, field);
        boolean isNullable =
                part.need() != Shape.Part.Need.REQUIRED && optional != Optionals.ABSENT;
        return isNullable ? nullable(schema) : schema;
    }

    private ObjectNode nullable(ObjectNode schema) {
        var type = schema.get("type");
        if (schema.has("$ref") || (type != null && optional == Optionals.BRANCHES)) {
            var nullable = Json.object();
            var options = nullable.putArray("anyOf");
            var first = options.addObject();
            var names = schema.has("$ref") ? List.of("$ref") : OF_BRANCH;
            for (var name : names) {
                if (schema.has(name)) first.set(name, schema.remove(name));
            }
            options.addObject().put("type", "null");
            schema.properties().forEach(f -> nullable.set(f.getKey(), f.getValue()));
            return nullable;
        }
        if (type != null) {
            schema.putArray("type").add(type.asString()).add("null");
            if (schema.has("enum")) schema.withArray("enum").addNull();
        }
        return schema;
    }

    private static JsonNode typed(ObjectNode schema, String value) {
        return switch (Json.text(schema, "type")) {
            case "integer", "number", "boolean" -> Json.read(value);
            case "array" -> Json.tree(value.split(",", -1));
            case null, default -> Json.tree(value);
        };
    }

    private static void bounds(ObjectNode schema, Field field) {
        var type = Json.text(schema, "type");
        boolean list = "array".equals(type);
        boolean number = "integer".equals(type) || "number".equals(type);
        if (number || list) {
            if (field.min() != Long.MIN_VALUE) {
                schema.put(list ? "minItems" : "minimum", field.min());
            }
            if (field.max() != Long.MAX_VALUE) {
                schema.put(list ? "maxItems" : "maximum", field.max());
            }
        }
        if (field.chars() > 0 && "string".equals(type)) schema.put("maxLength", field.chars());
    }

    private ObjectNode schema(Type type) {
        if (type instanceof ParameterizedType many) {
            var of = many.getActualTypeArguments();
            if (many.getRawType() == Map.class) {
                var map = Json.object().put("type", "object");
                map.set("additionalProperties", schema(of[1]));
                return map;
            }
            var list = Json.object().put("type", "array");
            list.set("items", schema(of[0]));
            return list;
        }
        return switch (type) {
            case Class<?> c when c == String.class -> Json.object().put("type", "string");
            case Class<?> c when c == Length.class ->
                    Json.object().put("type", "string").put("pattern", "^\\d{1,9}(ms|s|m|h|d)?$");
            case Class<?> c when c == boolean.class || c == Boolean.class ->
                    Json.object().put("type", "boolean");
            case Class<?> c when c == double.class || c == BigDecimal.class ->
                    Json.object().put("type", "number");
            case Class<?> c when JsonNode.class.isAssignableFrom(c) -> Json.object();
            case Class<?> c when c.isEnum() -> words(c);
            case Class<?> c when c.isRecord() || c.isSealed() -> reference(c);
            default -> Json.object().put("type", "integer");
        };
    }

    private static ObjectNode words(Class<?> type) {
        var schema = Json.object().put("type", "string");
        var words = schema.putArray("enum");
        Arrays.stream(type.getEnumConstants()).forEach(c -> words.add(Shape.word((Enum<?>) c)));
        return schema;
    }
}
