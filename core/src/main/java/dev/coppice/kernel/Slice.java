package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A page of a list, and the key of the next page; null on the last page. */
public record Slice<T>(List<T> items, @Nullable String next) {
    public Slice {
        items = List.copyOf(items);
    }
}
