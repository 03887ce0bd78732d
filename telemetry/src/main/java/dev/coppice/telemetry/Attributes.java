package dev.coppice.telemetry;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Attributes of a span, a log record or a point, with those of its resource. */
record Attributes(Resource resource, Map<String, AnyValue> own) {
    /** Twice the default maximum of OpenTelemetry's programs. */
    private static final int OF_ONE_MAX = 256;

    Attributes {
        own = Map.copyOf(own);
    }

    /** The attributes that many records share: they are kept, and summed up, once. */
    record Resource(Map<String, AnyValue> values, String digest) {
        Resource {
            values = Map.copyOf(values);
        }

        static Resource of(List<KeyValue> sent) {
            var values = first(sent);
            return new Resource(values, Attributes.digest(values));
        }
    }

    static Attributes of(Resource resource, List<KeyValue> own) {
        return new Attributes(resource, first(own));
    }

    private static Map<String, AnyValue> first(List<KeyValue> sent) {
        var values = new HashMap<String, AnyValue>();
        for (var one : sent.subList(0, Math.min(sent.size(), OF_ONE_MAX))) {
            values.put(one.getKey(), one.getValue());
        }
        return values;
    }

    private @Nullable AnyValue value(String name) {
        var value = own.get(name);
        return value == null ? resource.values().get(name) : value;
    }

    /** The first of these attributes that has a text which is not empty. */
    @Nullable String text(String... names) {
        for (var name : names) {
            var value = value(name);
            if (value == null) continue;
            var text =
                    switch (value.getValueCase()) {
                        case STRING_VALUE -> value.getStringValue();
                        case INT_VALUE -> Long.toString(value.getIntValue());
                        default -> "";
                    };
            if (!text.isEmpty()) return text;
        }
        return null;
    }

    /** The first of these attributes that is a number of zero or more; else 0. */
    long number(String... names) {
        var found = decimal(names);
        return found == null ? 0 : found.longValue();
    }

    /** The first of these attributes that is a number; programs also send numbers as text. */
    @Nullable Double decimal(String... names) {
        for (var name : names) {
            var value = value(name);
            if (value == null) continue;
            double number =
                    switch (value.getValueCase()) {
                        case INT_VALUE -> value.getIntValue();
                        case DOUBLE_VALUE -> value.getDoubleValue();
                        case STRING_VALUE -> parsed(value.getStringValue());
                        default -> Double.NaN;
                    };
            if (number >= 0 && number <= 1e12) return number;
        }
        return null;
    }

    /** Identifies this set of attributes. */
    String digest() {
        return digest(own) + resource.digest();
    }

    private static String digest(Map<String, AnyValue> values) {
        var all = new TreeMap<String, String>();
        values.forEach((name, value) -> all.put(name, value.toString()));
        return UUID.nameUUIDFromBytes(all.toString().getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static double parsed(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException _) {
            return Double.NaN;
        }
    }
}
