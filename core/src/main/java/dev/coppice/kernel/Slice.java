package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Part of a list, and the key to ask for what comes after it; no key, nothing after. */
public record Slice<T>(List<T> items, @Nullable String next) {
    public Slice {
        items = List.copyOf(items);
    }
}
