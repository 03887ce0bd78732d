package dev.coppice.cli.connect;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The hooks of a program, through which it tells of everything that it does: its files for a
 * project and for a person, what a new file begins with, and the events with their entries.
 * Commands print nothing, tell of no failure, and are held up for a second at most by a coordinator
 * that does not answer.
 */
record Hooks(String program, String project, String person, ObjectNode base, List<Group> groups) {
    private static final String FIELD = "hooks";
    private static final String ADDRESS = "ADDRESS";

    /** Null if nothing is known of the hooks of this program. */
    static @Nullable Hooks of(String program) {
        var one = known().get(program);
        if (one == null) return null;
        var groups = new ArrayList<Group>();
        for (var group : one.path("groups")) {
            var events = new ArrayList<String>();
            for (var event : group.path("events")) events.add(event.asString());
            groups.add(new Group(Json.write(group.path("entry")), List.copyOf(events)));
        }
        return new Hooks(
                program,
                one.path("project").asString(),
                one.path("person").asString(),
                (ObjectNode) one.path("base"),
                List.copyOf(groups));
    }

    /** An entry, with ADDRESS in place of the address, and the events that have it. */
    record Group(String entry, List<String> events) {}

    private static JsonNode known() {
        try (var in = Hooks.class.getResourceAsStream("hooks.json")) {
            var bytes = Objects.requireNonNull(in, "hooks.json").readAllBytes();
            return Json.read(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The path of the coordinator to which the program sends. */
    String path() {
        return "/hooks/" + program;
    }

    /** Adds an entry to each event; older entries of ours go. */
    void add(ObjectNode document, String address) {
        remove(document);
        base.properties()
                .forEach(field -> {
                    if (!document.has(field.getKey())) {
                        document.set(field.getKey(), field.getValue());
                    }
                });
        var hooks = document.withObject("/" + FIELD);
        for (var group : groups) {
            var entry = Json.read(group.entry().replace(ADDRESS, address));
            for (var event : group.events()) hooks.withArray("/" + event).add(entry);
        }
    }

    /** Removes our entries, and what is empty without them. */
    void remove(ObjectNode document) {
        if (!(document.get(FIELD) instanceof ObjectNode hooks)) return;
        for (var event : List.copyOf(hooks.propertyNames())) {
            var entries = hooks.path(event);
            var others = document.arrayNode();
            for (var one : entries) if (!isOurs(one)) others.add(one);
            if (others.size() == entries.size()) continue;
            if (others.isEmpty()) hooks.remove(event);
            else hooks.set(event, others);
        }
        if (hooks.isEmpty()) document.remove(FIELD);
        if (document.equals(base)) document.removeAll();
    }

    private boolean isOurs(JsonNode entry) {
        return Json.write(entry).contains(path());
    }

    /** True if entries can be added: others may have written anything there. */
    boolean fits(ObjectNode document) {
        var hooks = document.path(FIELD);
        if (hooks.isMissingNode()) return true;
        return hooks.isObject()
                && groups.stream()
                        .flatMap(group -> group.events().stream())
                        .map(hooks::path)
                        .allMatch(entries -> entries.isMissingNode() || entries.isArray());
    }

    boolean isIn(ObjectNode document) {
        return isOurs(document.path(FIELD));
    }
}
