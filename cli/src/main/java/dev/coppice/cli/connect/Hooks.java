package dev.coppice.cli.connect;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The hooks of a program, through which it reports what it does: its files for a project and for a
 * person, the base of a new file, the events with their entries, and a note for the person. Only
 * questions block for longer than a second.
 */
record Hooks(
        String program,
        String project,
        String person,
        ObjectNode base,
        List<Group> groups,
        @Nullable String note) {
    private static final String FIELD = "hooks";
    private static final String DENY = "&otherwise=deny";

    /** Sends an event. Prints nothing, ignores failures, and takes a second at most. */
    private static final String SEND =
            sent("-s -o /dev/null -m 1", "ADDRESS") + " 2>/dev/null || true";

    /** Sends an event and prints the answer, which is the program's decision. */
    private static final String ASK =
            sent("-sf --connect-timeout 1 -m LIMIT", "ASKING") + " 2>/dev/null || ";

    /** Exit code 2 denies the action of the program. */
    private static final String CLOSED =
            "{ echo 'Coppice does not answer, and what nobody allows is denied' >&2; exit 2; }";

    /** Longer than the coordinator holds a question, so that its answer arrives. */
    private static final int GRACE_SECONDS = 5;

    private static String sent(String options, String address) {
        return "SCRIPT %s -H \"X-Agent-Pid: $PPID\" '%s'".formatted(options, address);
    }

    /** The address to which hooks send, their token, and the script for those that are commands. */
    record Target(String address, String token, HookScript script) {}

    /** Returns null for a program whose hooks are unknown. */
    static @Nullable Hooks of(String program) {
        var one = known().get(program);
        if (one == null) return null;
        var groups = new ArrayList<Group>();
        for (var group : one.path("groups")) {
            var events = new ArrayList<String>();
            for (var event : group.path("events")) events.add(event.asString());
            groups.add(
                    new Group(
                            Asks.valueOf(group.path("asks").asString().toUpperCase(Locale.ROOT)),
                            Json.write(group.path("entry")),
                            List.copyOf(events)));
        }
        return new Hooks(
                program,
                one.path("project").asString(),
                one.path("person").asString(),
                (ObjectNode) one.path("base"),
                List.copyOf(groups),
                Json.text(one, "note"));
    }

    /** An entry, with words in capitals in place of values, and the events that have it. */
    record Group(Asks asks, String entry, List<String> events) {}

    /** Selects how the events of a group wait for an answer. */
    enum Asks {
        NOTHING,
        /** The event waits only for an answer that the coordinator has at once. */
        NEVER,
        /** The program would ask a person, and waits. */
        PERMISSION,
        /** The program would not ask, and waits only if the person wants it. */
        TOOL
    }

    /** The time that questions wait for a person; null for the default. */
    record Patience(@Nullable Duration length, Closed closed) {
        private static final Duration DEFAULT = Duration.ofMinutes(5);

        /** Selects whether unanswered questions are denied. */
        enum Closed {
            NO,
            /** The question is denied, also if the coordinator is down. */
            YES
        }

        long seconds(Asks asks) {
            return switch (asks) {
                case NOTHING, NEVER -> 0;
                case PERMISSION -> (length == null ? DEFAULT : length).toSeconds();
                case TOOL -> length == null ? 0 : length.toSeconds();
            };
        }
    }

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

    /** Adds our entry to each event, and removes older ones of ours. */
    void add(ObjectNode document, Target target, Patience patience) {
        remove(document);
        base.properties()
                .forEach(field -> {
                    if (!document.has(field.getKey())) {
                        document.set(field.getKey(), field.getValue());
                    }
                });
        var hooks = document.withObject("/" + FIELD);
        for (var group : groups) {
            var entry = entry(group, target, patience);
            for (var event : group.events()) hooks.withArray("/" + event).add(entry);
        }
    }

    private static JsonNode entry(Group group, Target target, Patience patience) {
        long hold = patience.seconds(group.asks());
        boolean isClosed = hold > 0 && patience.closed() == Patience.Closed.YES;
        var query = "?hold=" + hold + (isClosed ? DENY : "");
        long limit = hold > 0 ? hold + GRACE_SECONDS : 1;
        var ask = ASK + (isClosed ? CLOSED : "true");
        var entry = Json.read(group.entry());
        if (!isClosed) entry.findParents("onFailure").forEach(hook -> remove(hook, "onFailure"));
        var quoted = Json.write(target.script().command());
        var filled =
                Json.write(entry)
                        .replace("\"SEND\"", Json.write(SEND))
                        .replace("\"ASK\"", Json.write(ask))
                        .replace("\"SECONDS\"", Long.toString(limit + 1))
                        .replace("\"MILLIS\"", Long.toString((limit + 1) * 1_000))
                        .replace("LIMIT", Long.toString(limit))
                        .replace("ASKING", target.address() + (hold > 0 ? query : ""))
                        .replace("ADDRESS", target.address())
                        .replace("SECRET", target.token())
                        .replace("SCRIPT", quoted.substring(1, quoted.length() - 1));
        return Json.read(filled);
    }

    private static void remove(JsonNode hook, String field) {
        if (hook instanceof ObjectNode object) object.remove(field);
    }

    /** Removes our entries, and fields that are empty without them. */
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

    /** True if entries can be added: the file may contain anything there. */
    boolean fits(ObjectNode document) {
        var hooks = document.path(FIELD);
        if (hooks.isMissingNode()) return true;
        return hooks.isObject()
                && groups.stream()
                        .flatMap(group -> group.events().stream())
                        .map(hooks::path)
                        .allMatch(entries -> entries.isMissingNode() || entries.isArray());
    }

    /** True if our entries deny unanswered questions. */
    boolean isClosedIn(ObjectNode document) {
        return isIn(document) && Json.write(document.path(FIELD)).contains(DENY);
    }

    boolean isIn(ObjectNode document) {
        return isOurs(document.path(FIELD));
    }
}
