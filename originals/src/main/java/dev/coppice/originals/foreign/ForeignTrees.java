package dev.coppice.originals.foreign;

import dev.coppice.backup.BackupWriter;
import dev.coppice.backup.Manifest;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Counted;
import dev.coppice.kernel.SessionId;

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
 * The trees in a database of one of the original systems. These systems clear the reference to a
 * deleted parent. A session that lost its reference is put below the parent that another row names;
 * without such a row it is an orphan, and the user decides. Each tree is written and restored as a
 * backup.
 */
public final class ForeignTrees {
    private static final String NOT_IN_NAMES = "[^A-Za-z0-9_-]+";

    /** The parent that no row names. */
    private static final String UNKNOWN = "unknown";

    private final ForeignDatabase database;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, List<String>> children = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final ForeignPairs pairs =
            new ForeignPairs(
                    new ForeignPairs.Places() {
                        @Override
                        public boolean has(String session) {
                            return members.containsKey(session);
                        }

                        @Override
                        public @Nullable String parentOf(String session) {
                            return member(session).parent;
                        }
                    });
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
        database.sessionsOfEvents(this::meet);
        database.pairs(this::meetPair);
        members.forEach(this::placeMember);
        cutCycles();
        members.forEach((id, member) -> below(member.parent).add(id));
    }

    private void meet(Map<String, @Nullable Object> row) {
        var id = ForeignRows.text(row, "session_id");
        if (id == null || members.containsKey(id)) return;
        members.put(id, new Member(row, name(row, id, names)));
    }

    /** Also adds the child: the observability servers wrote pairs of children without a row. */
    private void meetPair(Map<String, @Nullable Object> pair) {
        pairs.meet(pair);
        Map<String, @Nullable Object> child = new LinkedHashMap<>();
        child.put("session_id", pair.get("child_session_id"));
        child.put("start_time", pair.get("created_at"));
        child.put("end_time", pair.get("completed_at"));
        child.put("known_by", "a pair");
        child.put("status", pair.get("completed_at") == null ? "active" : "completed");
        meet(child);
    }

    private List<String> below(@Nullable String parent) {
        return children.computeIfAbsent(String.valueOf(parent), _ -> new ArrayList<>());
    }

    private static String name(Map<String, @Nullable Object> row, String id, Set<String> names) {
        var given = ForeignRows.text(row, "session_name");
        var plain = (given == null || given.isBlank() ? id : given).replaceAll(NOT_IN_NAMES, "-");
        int most = Bounds.NAME_CHARS_MAX - 5;
        var cut = plain.length() > most ? plain.substring(0, most) : plain;
        var name = cut;
        for (int i = 2; !names.add(name); i++) name = cut + "-" + i;
        return name;
    }

    private void placeMember(String id, Member member) {
        var own = ForeignRows.text(member.row, "parent_session_id");
        var byName = ForeignRows.text(member.row, "parent_session_name");
        if (own == null && byName != null) own = named(byName);
        if (own != null && members.containsKey(own)) {
            member.parent = own;
            return;
        }
        var parent = own == null ? database.parentTold(id).orElse(null) : own;
        if (parent == null) {
            boolean wasChild =
                    CHILDREN.contains(String.valueOf(ForeignRows.text(member.row, "session_type")));
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
                .filter(e -> name.equals(ForeignRows.text(e.getValue().row, "session_name")))
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

    /** Returns the parents that other rows name, by the sessions that lost their references. */
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
            for (var id : all) writer.line(session(id, root));
            writer.end();
            rows(writer, "runs.jsonl", all, this::runs);
            rows(writer, "events.jsonl", all, this::events);
            rows(writer, "relationships.jsonl", all, this::pairs);
            spent(writer, root, all);
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

    private Map<String, @Nullable Object> session(String id, String root) {
        var member = member(id);
        var times = ForeignTimes.of(database, id, member.row);
        var parent = id.equals(root) ? null : member.parent;
        var row = new ForeignRows(database.kind()).session(member.row, member.name, parent, times);
        if (id.equals(root)) row.put("detached_from", lostParent(root));
        return row;
    }

    /** The spending of the sessions; {@code all} has parents before their children. */
    private void spent(BackupWriter writer, String root, List<String> all) throws IOException {
        var withBelow = new HashMap<String, Long>();
        writer.begin("spent.jsonl");
        for (var id : all.reversed()) {
            var member = member(id);
            long own = member.row.get("total_tokens") instanceof Number n ? n.longValue() : 0;
            long sum = own + withBelow.getOrDefault(id, 0L);
            if (sum > 0) writer.line(ForeignRows.spent(id, own, sum));
            var parent = member.parent;
            if (parent != null && !id.equals(root)) withBelow.merge(parent, sum, Long::sum);
        }
        writer.end();
    }

    /** Returns what the import leaves out. */
    public List<String> omitted() {
        var said = new ArrayList<>(pairs.omitted());
        members.forEach((id, member) -> {
            if (!ForeignRows.isOdd(member.row, "session_metadata")) return;
            said.add("the session_metadata of '%s': left out, it is no JSON object".formatted(id));
        });
        database.unreadRows()
                .forEach((table, rows) ->
                        said.add(
                                "%s of the table '%s': left out"
                                        .formatted(Counted.of(rows, "row", "rows"), table)));
        return List.copyOf(said);
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
            database.resultDataOf(session)
                    .ifPresent(data -> all.getLast().put("result_data", data));
        }
        all.forEach(each);
    }

    private void events(String session, java.util.function.Consumer<Object> each) {
        var rows = new ForeignRows(database.kind());
        pairs.eventsOf(session).forEach(each);
        database.events(session, row -> each.accept(rows.event(row)));
    }

    private void pairs(String session, java.util.function.Consumer<Object> each) {
        var created = ForeignTimes.createdOf(member(session).row);
        pairs.rowsOf(session, created).forEach(each);
    }
}
