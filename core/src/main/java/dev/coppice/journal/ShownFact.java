package dev.coppice.journal;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A fact in the form of lists of events and streams: its type and its fields, in order. */
public record ShownFact(String type, Map<String, @Nullable Object> fields) {
    public ShownFact {
        fields = Collections.unmodifiableMap(new LinkedHashMap<String, @Nullable Object>(fields));
    }

    static ShownFact as(String type) {
        return new ShownFact(type, Map.of());
    }

    ShownFact with(String name, @Nullable Object value) {
        var more = new LinkedHashMap<String, @Nullable Object>(fields);
        more.put(name, value);
        return new ShownFact(type, more);
    }
}
