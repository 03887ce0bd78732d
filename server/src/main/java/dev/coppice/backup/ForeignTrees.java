package dev.coppice.backup;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.SessionId;
import dev.coppice.store.ForeignDatabase;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The trees in a database of one of the original systems. They clear the reference to a deleted
 * parent. A session that lost its reference is put below the parent that another row names; without
 * such a row it is an orphan, and the user decides. Each tree is written and restored as a backup.
 */
public final class ForeignTrees {
    private static final String NOT_IN_NAMES = "[^A-Za-z0-9_-]+";

    /** The parent that no row names. */
    private static final String UNKNOWN = "unknown";

    private final ForeignDatabase database;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, List<String>> children = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final List<Orphan> orphans = new ArrayList<>();
    private final Map<String, String> reattached = new LinkedHashMap<>();

    /** A session of the database, and its name here. */
    private static final class Member {
        private final Map<String, @Nullable Object> row;
        private final String name;
        private @Nullable String parent;

        Member(Map<String, @Nullable Object> row, String name) {
            this.row = row;
            this.name = name;
        }
    }

    /** Types of sessions that always had a parent. */
    private static final Set<String> CHILDREN = Set.of("subagent", "wave");

    /** A session whose parent is not in the database; null if no row names the parent. */
    public record Orphan(String id, String name, @Nullable String parent) {}

    public ForeignTrees(ForeignDatabase database) {
        this.database = database;
        database.sessions(this::meet);
        members.forEach(this::placeMember);
        cutCycles();
        members.forEach((id, member) -> below(member.parent).add(id));
    }

    private void meet(Map<String, @Nullable Object> row) {
        var id = text(row, "session_id");
        if (id != null) members.put(id, new Member(row, name(row, id, names)));
    }

    private List<String> below(@Nullable String parent) {
        return children.computeIfAbsent(String.valueOf(parent), _ -> new ArrayList<>());
    }

    private static String name(Map<String, @Nullable Object> row, String id, Set<String> names) {
        var given = text(row, "session_name");
        var plain = (given == null || given.isBlank() ? id : given).replaceAll(NOT_IN_NAMES, "-");
        int most = Bounds.NAME_CHARS_MAX - 5;
        var cut = plain.length() > most ? plain.substring(0, most) : plain;
        var name = cut;
        for (int i = 2; !names.add(name); i++) name = cut + "-" + i;
        return name;
    }

    private void placeMember(String id, Member member) {
        var own = text(member.row, "parent_session_id");
        var byName = text(member.row, "parent_session_name");
        if (own == null && byName != null) own = named(byName);
        if (own != null && members.containsKey(own)) {
            member.parent = own;
            return;
        }
        var parent = own == null ? database.parentTold(id).orElse(null) : own;
        if (parent == null) {
            boolean wasChild = CHILDREN.contains(String.valueOf(text(member.row, "session_type")));
            if (byName != null || wasChild) orphans.add(new Orphan(id, member.name, byName));
        } else if (members.containsKey(parent)) {
            member.parent = parent;
            reattached.put(id, parent);
        } else {
            orphans.add(new Orphan(id, member.name, parent));
        }
    }

    private @Nullable String named(String name) {
        return members.entrySet().stream()
                .filter(e -> name.equals(text(e.getValue().row, "session_name")))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** Makes one session of each cycle a root: the original systems allow cycles. */
    private void cutCycles() {
        members.forEach((id, member) -> {
            var seen = new HashSet<String>(Set.of(id));
            for (var up = member.parent; up != null; up = member(up).parent) {
                if (seen.add(up)) continue;
                // A session below a cycle keeps its parent: only a member of the cycle is cut off.
                if (!up.equals(id)) return;
                orphans.add(new Orphan(id, member.name, String.valueOf(member.parent)));
                reattached.remove(id);
                member.parent = null;
                return;
            }
        });
    }

    private Member member(String id) {
        var member = members.get(id);
        if (member == null) throw new IllegalStateException("no session " + id);
        return member;
    }

    public int sessions() {
        return members.size();
    }

    public List<Orphan> orphans() {
        return List.copyOf(orphans);
    }

    /** Returns sessions without a reference to their parent, by the parents other rows name. */
    public Map<String, String> reattached() {
        return Map.copyOf(reattached);
    }

    /** Puts an orphan below a parent. */
    public void attach(String orphan, String parent) {
        if (!members.containsKey(orphan) || !members.containsKey(parent)) {
            throw new IllegalArgumentException(
                    "there is no session " + (members.containsKey(orphan) ? parent : orphan));
        }
        for (String up = parent; up != null; up = member(up).parent) {
            if (up.equals(orphan)) {
                throw new IllegalArgumentException(parent + " is below " + orphan);
            }
        }
        below(null).remove(orphan);
        member(orphan).parent = parent;
        below(parent).add(orphan);
    }

    /** Returns the ids of the roots of all trees. */
    public List<String> roots() {
        return List.copyOf(below(null));
    }

    public String nameOf(String id) {
        return member(id).name;
    }

    /** Writes one tree as a backup. */
    public void write(String root, Path file, Instant at) throws IOException {
        var all = new ArrayList<String>();
        collect(root, all);
        try (var writer = new BackupWriter(file)) {
            writer.begin("sessions.jsonl");
            for (var id : all) {
                var member = member(id);
                var row =
                        new ForeignRows(database.kind())
                                .session(
                                        member.row,
                                        member.name,
                                        id.equals(root) ? null : member.parent);
                if (id.equals(root)) row.put("detached_from", lostParent(root));
                writer.line(row);
            }
            writer.end();
            rows(writer, "runs.jsonl", all, this::runs);
            rows(writer, "events.jsonl", all, this::events);
            writer.finish(
                    new Manifest(
                            Manifest.FORMAT,
                            Manifest.VERSION,
                            at.toString(),
                            new Manifest.Top(root, member(root).name, null),
                            writer.entries(),
                            Manifest.MadeFor.IMPORT,
                            List.of(),
                            null));
        }
    }

    /** The parent that an orphan has lost; null for a session that never had one. */
    private @Nullable String lostParent(String id) {
        return orphans.stream()
                .filter(orphan -> orphan.id().equals(id))
                .map(Orphan::parent)
                .map(parent -> parent != null && SessionId.isValid(parent) ? parent : UNKNOWN)
                .findFirst()
                .orElse(null);
    }

    private void collect(String id, List<String> all) {
        var open = new java.util.ArrayDeque<>(List.of(id));
        while (!open.isEmpty()) {
            var next = open.pop();
            all.add(next);
            children.getOrDefault(next, List.of()).reversed().forEach(open::push);
        }
    }

    private interface Reader {
        void read(String session, java.util.function.Consumer<Object> each);
    }

    private static void rows(BackupWriter writer, String entry, List<String> all, Reader reader)
            throws IOException {
        writer.begin(entry);
        try {
            for (var id : all) {
                reader.read(
                        id,
                        row -> {
                            try {
                                writer.line(row);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        });
            }
        } catch (java.io.UncheckedIOException e) {
            throw new IOException("writing " + entry, e.getCause());
        }
        writer.end();
    }

    private void runs(String session, java.util.function.Consumer<Object> each) {
        var rows = new ForeignRows(database.kind());
        var all = new ArrayList<Map<String, @Nullable Object>>();
        database.runs(session, row -> all.add(rows.run(row)));
        if (!all.isEmpty()) {
            database.resultOf(session).ifPresent(text -> all.getLast().put("result_text", text));
        }
        all.forEach(each);
    }

    private void events(String session, java.util.function.Consumer<Object> each) {
        var rows = new ForeignRows(database.kind());
        database.relationships(session, row -> each.accept(rows.relationship(row)));
        database.events(session, row -> each.accept(rows.event(row)));
    }

    static @Nullable String text(Map<String, @Nullable Object> row, String column) {
        var value = row.get(column);
        return value == null || value.toString().isBlank() ? null : value.toString();
    }
}
