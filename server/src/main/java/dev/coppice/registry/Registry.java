package dev.coppice.registry;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Entries as files. A file is read again when it has changed. An unreadable entry is skipped and
 * logged, so that the others stay usable.
 */
public final class Registry<T> {
    private static final System.Logger LOG = System.getLogger("registry");
    private final Entries entries;
    private final Function<JsonNode, T> parse;
    private final Map<String, Cached<T>> cache = new ConcurrentHashMap<>();

    public Registry(Path directory, Layout layout, Function<JsonNode, T> parse) {
        this.entries = new Entries(directory, layout);
        this.parse = parse;
    }

    private record Cached<T>(List<Object> stamp, Optional<T> entry) {}

    /** True if there is an entry of this name, readable or not. */
    public boolean has(String name) {
        return entries.has(name);
    }

    public Optional<T> find(String name) {
        if (!entries.has(name)) return Optional.empty();
        try {
            var stamp = entries.stamp(name);
            var cached = cache.get(name);
            if (cached != null && cached.stamp().equals(stamp)) return cached.entry();
            var entry = parsed(name);
            cache.put(name, new Cached<>(stamp, entry));
            return entry;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot read " + entries.document(name), e);
            return Optional.empty();
        }
    }

    private Optional<T> parsed(String name) throws IOException {
        try {
            return Optional.of(parse.apply(entries.read(name)));
        } catch (Fault | Json.Unreadable e) {
            var what = "skipped " + entries.document(name) + ": " + e.getMessage();
            LOG.log(System.Logger.Level.WARNING, what);
            return Optional.empty();
        }
    }

    /** The names of all entries, readable or not. */
    public List<String> names() {
        return entries.names();
    }

    /** All readable entries, by their names. */
    public Map<String, T> all() {
        var all = new LinkedHashMap<String, T>();
        for (var name : entries.names()) find(name).ifPresent(entry -> all.put(name, entry));
        return all;
    }

    public void save(String name, JsonNode document) {
        entries.save(name, document);
        cache.remove(name);
    }

    public void remove(String name) {
        entries.remove(name);
        cache.remove(name);
    }

    /** The files of an entry, by their names. */
    public Map<String, String> files(JsonNode document) {
        return entries.files(document);
    }

    /** A value that changes when a file of the entry does; empty if there is no entry. */
    public List<Object> stamp(String name) {
        try {
            return entries.has(name) ? entries.stamp(name) : List.of();
        } catch (IOException _) {
            return List.of();
        }
    }
}
