package dev.coppice.backup;

import dev.coppice.audit.Act;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RemovalRefusal.CannotBeRestored;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RestoreTree;
import dev.coppice.removal.TreeRows;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.run.RunWord;
import dev.coppice.session.SessionName;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Verifies every byte of a backup, then restores it into the database completely or not at all. */
public final class RestoreFile {
    private static final int ROWS_AT_ONCE = 500;
    private static final List<String> IDS =
            List.of(
                    "id",
                    "parent_id",
                    "session_id",
                    "child_id",
                    "wave_id",
                    "run",
                    "join_id",
                    "carrier",
                    "stop_id",
                    "member_id");

    /** The two sessions of a relationship; one of them may be outside the file. */
    private static final List<String> PAIR = List.of("parent_id", "child_id");

    private static final List<String> OTHERS = List.of("sender", "notice_about_id");

    private final RestoreTree restore;
    private final PreservedElsewhere preserved;
    private final Path directory;

    public RestoreFile(RestoreTree restore, PreservedElsewhere preserved, Path directory) {
        this.restore = restore;
        this.preserved = preserved;
        this.directory = directory;
    }

    /**
     * The place of the tree, the treatment of ids and names that are taken, and the earlier removal
     * in the file to restore instead of its own tree.
     */
    public record Wanted(
            Where where,
            @Nullable SessionId under,
            NewIds ids,
            UndoRemoval.Names names,
            @Nullable String removal) {}

    /** The parent of the restored tree. */
    public enum Where {
        AS_IT_WAS,
        AS_ROOT,
        UNDER
    }

    /** The suffix of new ids; null to keep the ids. */
    public record NewIds(@Nullable String suffix) {
        public static final NewIds NONE = new NewIds(null);

        String of(String id) {
            return suffix == null ? id : id + "-" + suffix;
        }
    }

    public Outcome<Removal> restore(String name, Wanted wanted, Act.Who by) {
        var path = directory.resolve(name).normalize();
        if (!path.startsWith(directory) || !Files.isRegularFile(path)) {
            return unread(
                    name,
                    by,
                    CannotBeRestored.RestoreCause.NO_FILE,
                    "there is no backup '%s'".formatted(name));
        }
        try {
            BackupFile.verify(path);
            var hash = UploadStore.sha256(path);
            var file = new Removal.Backup(name, hash, Files.size(path));
            if (wanted.removal() != null) return earlier(path, file, wanted, wanted.removal(), by);
            try (var backup = BackupFile.open(path)) {
                return restore(backup, file, wanted, by);
            }
        } catch (BackupFile.Damaged | IOException | UncheckedIOException e) {
            return unread(
                    name,
                    by,
                    CannotBeRestored.RestoreCause.DAMAGED,
                    "'%s': %s".formatted(name, e.getMessage()));
        }
    }

    private Outcome<Removal> earlier(
            Path path, Removal.Backup file, Wanted wanted, String removal, Act.Who by)
            throws BackupFile.Damaged, IOException {
        var out = new EarlierBackups(directory).takenOut(path, removal);
        if (out == null) {
            return unread(
                    file.file(),
                    by,
                    CannotBeRestored.RestoreCause.NO_SUCH_REMOVAL,
                    "there is no backup of a removal '%s' in the file".formatted(removal));
        }
        try (var backup = BackupFile.open(out)) {
            return restore(backup, file, wanted, by);
        } finally {
            Files.deleteIfExists(out);
        }
    }

    private Outcome<Removal> unread(
            String name, Act.Who by, CannotBeRestored.RestoreCause cause, String why) {
        var refusal = new CannotBeRestored(cause, why);
        return Outcome.refused(restore.unread(name, by, refusal));
    }

    private Outcome<Removal> restore(
            BackupFile backup, Removal.Backup file, Wanted wanted, Act.Who by) {
        var look = new Look(wanted.ids());
        look.at(backup.top().parentSessionId());
        backup.rows(TreeRows.Table.SESSIONS, look::at);
        if (look.badIds > 0) {
            return unread(
                    file.file(),
                    by,
                    CannotBeRestored.RestoreCause.IDS_UNFIT,
                    "%d ids in it are not valid here, for example '%s'"
                            .formatted(look.badIds, look.badId));
        }
        if (look.badNames > 0) {
            return unread(
                    file.file(),
                    by,
                    CannotBeRestored.RestoreCause.NAMES_UNFIT,
                    "%d names in it are not valid here, for example '%s'; a name has %s"
                            .formatted(look.badNames, look.badName, SessionName.RULE));
        }
        var report = backup.report();
        var taken = new Removal.Taken(report.sessions(), 0, report.events(), 0);
        var request =
                new RestoreTree.Request(
                        top(backup, wanted), look.levels, taken, file, wanted.names());
        var begun = restore.begin(request, new InFile(backup, wanted.ids()), by);
        return begun.then(removal -> read(backup, removal, wanted));
    }

    /** The sessions and runs in the file, by the ids they will have. */
    private record InFile(BackupFile backup, NewIds ids) implements RestoreTree.FileContents {
        @Override
        public void each(Consumer<RestoreTree.Named> look) {
            backup.rows(TreeRows.Table.SESSIONS, row -> look.accept(named(row, ids)));
        }

        @Override
        public void eachRun(Consumer<String> look) {
            backup.rows(
                    TreeRows.Table.RUNS,
                    row -> look.accept(ids.of(String.valueOf(Json.text(row, "id")))));
        }
    }

    private static RestoreTree.Named named(JsonNode row, NewIds ids) {
        var id = new SessionId(ids.of(String.valueOf(Json.text(row, "id"))));
        return new RestoreTree.Named(id, String.valueOf(Json.text(row, "name")));
    }

    /** A first pass over all sessions: the levels, and the ids and names that are not valid. */
    private static final class Look {
        private final NewIds ids;

        /** The path to the last session: the file is in the order of the tree. */
        private final List<String> above = new ArrayList<>();

        private int levels;
        private long badIds;
        private String badId = "";
        private long badNames;
        private String badName = "";

        Look(NewIds ids) {
            this.ids = ids;
        }

        void at(@Nullable String parent) {
            if (parent != null && !SessionId.isValid(parent) && badIds++ == 0) badId = parent;
        }

        void at(JsonNode row) {
            var id = String.valueOf(Json.text(row, "id"));
            var parent = Json.text(row, "parent_id");
            boolean isTop = above.isEmpty();
            while (above.size() > 1 && !above.getLast().equals(parent)) above.removeLast();
            // Its parent was removed while the live tree was written: it is not restored.
            if (!isTop && !above.getLast().equals(parent)) return;
            levels = Math.max(levels, above.size());
            above.add(id);
            var here = ids.of(id);
            var name = String.valueOf(Json.text(row, "name"));
            if (!SessionName.isPossible(name) && badNames++ == 0) badName = name;
            if (SessionId.isValid(here)) return;
            if (badIds++ == 0) badId = here;
        }
    }

    private static Removal.Top top(BackupFile backup, Wanted wanted) {
        var top = backup.top();
        var parent =
                switch (wanted.where()) {
                    case AS_IT_WAS ->
                            top.parentSessionId() == null
                                    ? null
                                    : new SessionId(top.parentSessionId());
                    case AS_ROOT -> null;
                    case UNDER -> wanted.under();
                };
        return new Removal.Top(
                new SessionId(wanted.ids().of(top.sessionId())), top.sessionName(), parent);
    }

    private Outcome<Removal> read(BackupFile backup, Removal removal, Wanted wanted) {
        try {
            var waves = new HashSet<String>();
            backup.rows(
                    TreeRows.Table.WAVES, row -> waves.add(String.valueOf(Json.text(row, "id"))));
            for (var table : restore.tables()) {
                var some = new ArrayList<TreeRows.Row>();
                backup.rows(
                        table,
                        row -> {
                            var fields = fields(row);
                            renewWave(table, fields, waves, wanted.ids());
                            some.add(row(table, fields, removal, wanted));
                            if (some.size() < ROWS_AT_ONCE) return;
                            restore.insertRows(removal.id(), table, some);
                            some.clear();
                        });
                if (!some.isEmpty()) restore.insertRows(removal.id(), table, some);
            }
            preserved.bringIn(backup, removal, () -> restore.keepAlive(removal.id()));
            var copied =
                    wanted.ids().suffix() == null ? null : new SessionId(backup.top().sessionId());
            var finished = restore.finish(removal.id(), wanted.names(), copied);
            if (finished instanceof Outcome.Refused<Removal>) restore.broken(removal.id());
            return finished;
        } catch (RuntimeException e) {
            restore.broken(removal.id());
            throw e;
        }
    }

    private static Map<String, @Nullable Object> fields(JsonNode row) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        row.properties()
                .forEach(f -> {
                    var value = f.getValue();
                    Object read = value.isNumber() ? (Object) value.asLong() : value.asString();
                    fields.put(f.getKey(), value.isNull() ? null : read);
                });
        return fields;
    }

    private TreeRows.Row row(
            TreeRows.Table table,
            Map<String, @Nullable Object> fields,
            Removal removal,
            Wanted wanted) {
        if (table.equals(TreeRows.Table.RELATIONSHIPS)) {
            renew(fields, List.of("session_id"), wanted.ids());
            renewOthers(fields, PAIR, wanted.ids());
        } else {
            renew(fields, IDS, wanted.ids());
        }
        if (table.equals(TreeRows.Table.CALLBACKS)) renewOthers(fields, OTHERS, wanted.ids());
        if (table.equals(TreeRows.Table.SESSIONS)) {
            if (String.valueOf(fields.get("id")).equals(removal.top().id().value())) {
                var parent = removal.top().parent();
                fields.put("parent_id", parent == null ? null : parent.value());
            }
            end(fields, StateWord.ALIVE, removal);
        }
        if (table.equals(TreeRows.Table.RUNS)) end(fields, RunWord.LIVE, removal);
        if (table.equals(TreeRows.Table.STOPS) && fields.get("ended_at") == null) {
            fields.put("ended_at", fields.get("began_at"));
        }
        if (table.equals(TreeRows.Table.WAVE_PLANS)) fields.put("run", "{}");
        if (table.equals(TreeRows.Table.WAVE_PLANS) && "waiting".equals(fields.get("state"))) {
            fields.put("state", "cancelled");
            fields.put(
                    "why",
                    "it waited when the backup that %s restores was made".formatted(removal.id()));
        }
        return new TreeRows.Row(fields);
    }

    private static void renew(
            Map<String, @Nullable Object> fields, List<String> names, NewIds ids) {
        if (ids.suffix() == null) return;
        for (var name : names) {
            var value = fields.get(name);
            if (value != null) fields.put(name, ids.of(value.toString()));
        }
    }

    /** Renews the id of a wave in the file. Members and events of other waves keep theirs. */
    private static void renewWave(
            TreeRows.Table table,
            Map<String, @Nullable Object> fields,
            Set<String> inFile,
            NewIds ids) {
        boolean isOfWave =
                table.equals(TreeRows.Table.WAVE_MEMBERS) || table.equals(TreeRows.Table.EVENTS);
        if (isOfWave && fields.get("wave") instanceof String wave && inFile.contains(wave)) {
            fields.put("wave", ids.of(wave));
        }
    }

    /** Renews references to restored sessions. References to sessions outside the file stay. */
    private void renewOthers(Map<String, @Nullable Object> fields, List<String> names, NewIds ids) {
        if (ids.suffix() == null) return;
        for (var name : names) {
            var value = fields.get(name);
            if (value == null) continue;
            var anew = ids.of(value.toString());
            if (restore.isThere(new SessionId(anew))) fields.put(name, anew);
        }
    }

    /** Ends a row that was live when the backup was written: nothing of it runs here. */
    private static void end(
            Map<String, @Nullable Object> fields, List<String> living, Removal removal) {
        if (!living.contains(String.valueOf(fields.get("state")))) return;
        fields.put("state", "stopped");
        fields.put("reason", RestoreTree.endReason(removal.id()));
        fields.put("ended_at", fields.get("since"));
    }
}
