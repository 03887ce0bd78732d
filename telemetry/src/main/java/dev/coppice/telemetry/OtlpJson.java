package dev.coppice.telemetry;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the JSON of OTLP into its messages. It differs from the usual JSON of protobuf in ids,
 * which are hexadecimal. Unknown fields are skipped.
 */
final class OtlpJson {
    private static final int DEPTH_MAX = 64;
    private static final Set<String> IDS = Set.of("trace_id", "span_id", "parent_span_id");

    private OtlpJson() {}

    /** The JSON is not a message of OTLP. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    static void read(JsonNode json, Message.Builder into) throws Malformed {
        read(json, into, 0);
    }

    private static void read(JsonNode json, Message.Builder into, int depth) throws Malformed {
        if (!json.isObject()) throw new Malformed("an object is missing");
        if (depth > DEPTH_MAX) throw new Malformed("it is nested too deeply");
        for (var field : into.getDescriptorForType().getFields()) {
            var value = json.get(field.getJsonName());
            if (value == null) value = json.get(field.getName());
            if (value == null || value.isNull()) continue;
            if (!field.isRepeated()) {
                into.setField(field, value(field, value, into, depth));
                continue;
            }
            if (!value.isArray()) throw bad(field, value);
            for (var item : value) into.addRepeatedField(field, value(field, item, into, depth));
        }
    }

    private static Object value(
            FieldDescriptor field, JsonNode json, Message.Builder into, int depth)
            throws Malformed {
        var value =
                switch (field.getJavaType()) {
                    case MESSAGE -> {
                        var message = into.newBuilderForField(field);
                        read(json, message, depth + 1);
                        yield message.build();
                    }
                    case STRING -> json.isString() ? json.asString() : null;
                    case BOOLEAN -> json.isBoolean() ? json.asBoolean() : null;
                    case INT -> mapped(number(json), Long::intValue);
                    case LONG -> number(json);
                    case DOUBLE -> decimal(json);
                    case FLOAT -> mapped(decimal(json), Double::floatValue);
                    case ENUM -> word(field.getEnumType(), json);
                    case BYTE_STRING -> bytes(field, json);
                };
        if (value == null) throw bad(field, json);
        return value;
    }

    private static <A, B> @Nullable Object mapped(@Nullable A value, Function<A, B> to) {
        return value == null ? null : to.apply(value);
    }

    private static Malformed bad(FieldDescriptor field, JsonNode json) {
        return new Malformed("%s is a %s".formatted(field.getJsonName(), json.getNodeType()));
    }

    /** 64-bit numbers may be texts; unsigned ones may exceed the largest long. */
    private static @Nullable Long number(JsonNode json) {
        try {
            if (json.isIntegralNumber()) return json.bigIntegerValue().longValue();
            if (!json.isString()) return null;
            var text = json.asString();
            return text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static @Nullable Double decimal(JsonNode json) {
        try {
            if (json.isNumber()) return json.asDouble();
            return json.isString() ? Double.valueOf(json.asString()) : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static @Nullable Object word(EnumDescriptor type, JsonNode json) {
        var number = number(json);
        if (number != null) return type.findValueByNumberCreatingIfUnknown(number.intValue());
        return json.isString() ? type.findValueByName(json.asString()) : null;
    }

    private static @Nullable ByteString bytes(FieldDescriptor field, JsonNode json) {
        if (!json.isString()) return null;
        try {
            var text = json.asString();
            return ByteString.copyFrom(
                    IDS.contains(field.getName())
                            ? HexFormat.of().parseHex(text)
                            : Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
