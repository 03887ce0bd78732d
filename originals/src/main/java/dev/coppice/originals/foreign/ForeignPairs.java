package dev.coppice.originals.foreign;

import dev.coppice.kernel.Counted;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pairs of sessions in a database of one of the original systems. A pair has a place here if it
 * is that of a session and its parent, or of a sibling or a continuation. Any other is reported,
 * and becomes an event of its child.
 */
final class ForeignPairs {
    private static final String CHILD = "parent/child";

    /** The types of pairs that no place in the tree implies. */
    private static final Set<String> FREE = Set.of("sibling", "continuation");

    private static final Map<String, Set<String>> WORDS =
            Map.of(
                    "relationship_type",
                    Set.of(CHILD, "sibling", "continuation", "wave_member"),
                    "spawn_reason",
                    Set.of(
                            "subagent_delegation",
                            "wave_orchestration",
                            "task_tool",
                            "continuation",
                            "manual"),
                    "delegation_type",
                    Set.of("parallel", "sequential", "isolated"));

    private final Places places;
    private final List<Pair> all = new ArrayList<>();
    private final Map<String, List<Pair>> bySession = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private long nameless;

    ForeignPairs(Places places) {
        this.places = places;
    }

    /** The sessions of the database, and the parents that they will have here. */
    interface Places {
        boolean has(String session);

        @Nullable String parentOf(String session);
    }

    /** A pair; {@code isRepeated} if an earlier row has the same sessions. */
    private record Pair(
            String parent, String child, boolean isRepeated, Map<String, @Nullable Object> row) {
        String type() {
            var type = known(row, "relationship_type");
            return type == null ? CHILD : type;
        }
    }

    void meet(Map<String, @Nullable Object> row) {
        var parent = ForeignRows.text(row, "parent_session_id");
        var child = ForeignRows.text(row, "child_session_id");
        if (parent == null || child == null) {
            nameless++;
            return;
        }
        var pair = new Pair(parent, child, !seen.add(parent + "\n" + child), row);
        all.add(pair);
        bySession.computeIfAbsent(parent, _ -> new ArrayList<>()).add(pair);
        if (parent.equals(child)) return;
        bySession.computeIfAbsent(child, _ -> new ArrayList<>()).add(pair);
    }

    /** The word in the column; null if the schema has no such word. */
    private static @Nullable String known(Map<String, @Nullable Object> row, String column) {
        var word = ForeignRows.text(row, column);
        return word != null && WORDS.getOrDefault(column, Set.of()).contains(word) ? word : null;
    }

    /** Returns why the pair has no place here; null if it has one. */
    private @Nullable String forbids(Pair pair) {
        if (pair.isRepeated()) return "another row has the same sessions";
        if (pair.parent().equals(pair.child())) return "it relates the session to itself";
        if (!places.has(pair.parent())) {
            return "there is no session '%s'".formatted(pair.parent());
        }
        var parent = places.parentOf(pair.child());
        if (pair.parent().equals(parent) || FREE.contains(pair.type())) return null;
        return parent == null
                ? "'%s' has no parent".formatted(pair.child())
                : "the parent of '%s' is '%s'".formatted(pair.child(), parent);
    }

    /**
     * Returns the rows of the pairs in which this session is the child, or the other session and
     * not the parent. A pair across two trees is in both backups; the second restore adds it.
     */
    List<Map<String, @Nullable Object>> rowsOf(String session, long created) {
        var rows = new ArrayList<Map<String, @Nullable Object>>();
        for (var pair : bySession.getOrDefault(session, List.of())) {
            if (forbids(pair) != null) continue;
            boolean isOfChild = pair.child().equals(session);
            boolean isOfParent = pair.parent().equals(places.parentOf(pair.child()));
            if (isOfChild || !isOfParent) rows.add(ours(pair, session, created));
        }
        return rows;
    }

    private static Map<String, @Nullable Object> ours(Pair pair, String session, long created) {
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        ours.put("session_id", session);
        ours.put("parent_id", pair.parent());
        ours.put("child_id", pair.child());
        ours.put("type", pair.type());
        ours.put("reason", known(pair.row(), "spawn_reason"));
        ours.put("delegation", known(pair.row(), "delegation_type"));
        ours.put("metadata", ForeignRows.text(pair.row(), "spawn_metadata"));
        ours.put("evidence", "declared");
        ours.put("confidence", 100L);
        ours.put("created_at", ForeignTimes.time(pair.row(), "created_at", created));
        ours.put("completed_at", ForeignTimes.timeOrNull(pair.row(), "completed_at"));
        return ours;
    }

    /** The pairs of this child that have no place here, as events. */
    List<Map<String, @Nullable Object>> eventsOf(String child) {
        var events = new ArrayList<Map<String, @Nullable Object>>();
        for (var pair : bySession.getOrDefault(child, List.of())) {
            if (!pair.child().equals(child) || forbids(pair) == null) continue;
            events.add(ForeignRows.relationship(pair.row()));
        }
        return events;
    }

    /** Returns the pairs, and the parts of others, that have no place here. */
    List<String> omitted() {
        var said = new ArrayList<String>();
        if (nameless > 0) {
            said.add(
                    "%s without a parent or a child: left out"
                            .formatted(Counted.of(nameless, "pair", "pairs")));
        }
        for (var pair : all) {
            var sessions = "the pair of '%s' and '%s'".formatted(pair.parent(), pair.child());
            var why = forbids(pair);
            if (why != null) {
                var type = ForeignRows.text(pair.row(), "relationship_type");
                var shown = type == null ? CHILD : type;
                said.add("%s (%s): only an event, %s".formatted(sessions, shown, why));
                continue;
            }
            for (var column : WORDS.keySet().stream().sorted().toList()) {
                var word = ForeignRows.text(pair.row(), column);
                if (word == null || known(pair.row(), column) != null) continue;
                said.add(
                        "the %s '%s' of %s: left out, it is no word of the schema"
                                .formatted(column, word, sessions));
            }
        }
        return said;
    }
}
