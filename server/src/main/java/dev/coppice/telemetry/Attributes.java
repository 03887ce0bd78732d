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
record Attributes(Map<String, AnyValue> values) {
    Attributes {
        values = Map.copyOf(values);
    }

    static Attributes of(List<KeyValue> resource, List<KeyValue> own) {
        var values = new HashMap<String, AnyValue>();
        for (var one : resource) values.put(one.getKey(), one.getValue());
        for (var one : own) values.put(one.getKey(), one.getValue());
        return new Attributes(values);
    }

    /** The first of these attributes that has a text which is not empty. */
    @Nullable String text(String... names) {
        for (var name : names) {
            var value = values.get(name);
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

    /** Programs send numbers as texts, too. */
    @Nullable Double decimal(String... names) {
        for (var name : names) {
            var value = values.get(name);
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

    /** Tells sets of attributes apart. */
    String digest() {
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
