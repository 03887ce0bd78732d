package dev.coppice.store.schema;

import dev.coppice.store.engine.Sql;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables as the migrations describe them. The migrations are parsed in order, so a column is
 * declared once, in the step that adds it. Inserts, backup rows and fsck's reference checks are
 * derived from here. {@code 0001.sql} explains the notes behind columns.
 */
public final class Tables {
    private static final Pattern COLUMN = Pattern.compile("    (\\w+) (integer|text)\\b(.*)");
    private static final Pattern CREATE = Pattern.compile("create table (\\w+) \\((.*)");
    private static final Pattern BACKUP_AS = Pattern.compile(".*-- backup as (\\w+)");
    private static final Pattern ADD =
            Pattern.compile("alter table (\\w+) add column (\\w+) (integer|text)\\b(.*)");
    private static final Pattern DROP_COLUMN =
            Pattern.compile("alter table (\\w+) drop column (\\w+);");
    private static final Pattern RENAME_COLUMN =
            Pattern.compile("alter table (\\w+) rename column (\\w+) to (\\w+);");
    private static final Pattern RENAME = Pattern.compile("alter table (\\w+) rename to (\\w+);");
    private static final Pattern DROP = Pattern.compile("drop table (\\w+);");
    private static final Pattern REFERENCES = Pattern.compile("references (\\w+) \\((\\w+)\\)");
    private static final Pattern NAMES =
            Pattern.compile("names (\\w+\\.\\w+(?: or \\w+\\.\\w+)*)(?: while (.*))?");

    private static final Tables CURRENT = new Tables(Migrations.neutral());

    private final Map<String, Map<String, Column>> columns = new LinkedHashMap<>();

    /** The tables in a backup by their names there, which never change. */
    private final Map<String, String> backups = new LinkedHashMap<>();

    /** A column whose values must exist in one of the target columns. */
    public record Reference(List<String> targets, @Nullable String condition) {
        public Reference {
            targets = List.copyOf(targets);
        }
    }

    /** A column. Its name in backups never changes, even if the column is renamed. */
    public record Column(
            String name,
            boolean isKey,
            boolean isNullable,
            boolean hasDefault,
            @Nullable String inBackup,
            boolean isRestored,
            @Nullable Reference reference) {
        Column named(String other) {
            return new Column(
                    other, isKey, isNullable, hasDefault, inBackup, isRestored, reference);
        }
    }

    Tables(Stream<String> steps) {
        steps.forEach(this::read);
    }

    public static Tables current() {
        return CURRENT;
    }

    private void read(String step) {
        var creating = Optional.<Map<String, Column>>empty();
        for (var line : step.lines().toList()) {
            var create = CREATE.matcher(line);
            var column = COLUMN.matcher(line);
            if (create.matches()) {
                creating = Optional.of(new LinkedHashMap<>());
                columns.put(create.group(1), creating.get());
                var name = BACKUP_AS.matcher(create.group(2));
                if (name.matches()) backups.put(name.group(1), create.group(1));
            } else if (creating.isPresent() && column.matches()) {
                add(creating.get(), column.group(1), column.group(3));
            } else if (line.equals(");")) {
                creating = Optional.empty();
            } else {
                alter(line);
            }
        }
    }

    private void alter(String line) {
        var add = ADD.matcher(line);
        if (add.matches()) add(of(add.group(1)), add.group(2), add.group(4));
        var dropped = DROP_COLUMN.matcher(line);
        if (dropped.matches()) of(dropped.group(1)).remove(dropped.group(2));
        var renamed = RENAME_COLUMN.matcher(line);
        if (renamed.matches()) {
            var table = of(renamed.group(1));
            var column = table.remove(renamed.group(2));
            if (column != null) table.put(renamed.group(3), column.named(renamed.group(3)));
        }
        var drop = DROP.matcher(line);
        if (drop.matches()) {
            columns.remove(drop.group(1));
            backups.values().remove(drop.group(1));
        }
        var rename = RENAME.matcher(line);
        if (rename.matches()) {
            var table = of(rename.group(1));
            columns.remove(rename.group(1));
            columns.put(rename.group(2), table);
            backups.replaceAll((_, now) -> now.equals(rename.group(1)) ? rename.group(2) : now);
        }
    }

    private static void add(Map<String, Column> table, String name, String rest) {
        var parts = rest.split("--", 2);
        var notes = parts.length == 1 ? List.<String>of() : List.of(parts[1].strip().split("; "));
        var names = notes.stream().map(NAMES::matcher).filter(m -> m.matches()).findFirst();
        var references = REFERENCES.matcher(parts[0]);
        Reference reference = null;
        if (names.isPresent()) {
            var targets = List.of(names.get().group(1).split(" or "));
            reference = new Reference(targets, names.get().group(2));
        } else if (references.find()) {
            var target = references.group(1) + "." + references.group(2);
            reference = new Reference(List.of(target), null);
        }
        table.put(
                name,
                new Column(
                        name,
                        parts[0].contains("primary key"),
                        !parts[0].contains("not null") && !parts[0].contains("primary key"),
                        parts[0].contains(" default ")
                                || (parts[0].contains("autoincrement")
                                        && !notes.contains("restored")),
                        notes.contains("backup") ? name : null,
                        notes.contains("restored"),
                        reference));
    }

    private Map<String, Column> of(String table) {
        var found = columns.get(table);
        if (found == null) throw new IllegalArgumentException("no table " + table);
        return found;
    }

    public List<String> names() {
        return List.copyOf(columns.keySet());
    }

    public List<Column> columns(String table) {
        return List.copyOf(of(table).values());
    }

    /**
     * Inserts a row. Each parameter has the name of its column. Columns with a default, and those
     * in {@code leftOut}, have no parameter.
     */
    public static Sql insert(String table, String... leftOut) {
        var out = CURRENT.checked(table, List.of(leftOut));
        var columns =
                CURRENT.columns(table).stream()
                        .filter(c -> !c.hasDefault() && !out.contains(c.name()))
                        .map(Column::name)
                        .toList();
        var values = columns.stream().map(c -> ":" + c).collect(Collectors.joining(", "));
        return Sql.of(
                "insert into %s (%s) values (%s)"
                        .formatted(table, String.join(", ", columns), values));
    }

    /** Updates these columns, separated by spaces, in the row with this key. */
    public static Sql update(String table, String key, String columns) {
        var changed =
                CURRENT.checked(table, List.of(columns.split(" "))).stream()
                        .map("%1$s = :%1$s"::formatted)
                        .collect(Collectors.joining(", "));
        return Sql.of("update %1$s set %2$s where %3$s = :%3$s".formatted(table, changed, key));
    }

    private List<String> checked(String table, List<String> names) {
        for (var name : names) {
            if (!of(table).containsKey(name)) {
                throw new IllegalArgumentException("no column %s.%s".formatted(table, name));
            }
        }
        return names;
    }

    /** Inserts a whole row, or replaces all columns but its key. */
    public static Sql upsert(String table, String key) {
        var changed =
                CURRENT.columns(table).stream()
                        .map(Column::name)
                        .filter(c -> !c.equals(key))
                        .map("%1$s = excluded.%1$s"::formatted)
                        .collect(Collectors.joining(", "));
        return Sql.of(
                "%s on conflict (%s) do update set %s"
                        .formatted(insert(table).named(), key, changed));
    }

    /** The tables in a backup by their names there, in the order in which they can be restored. */
    public Map<String, String> backups() {
        return Collections.unmodifiableMap(backups);
    }

    /** The column that is the table's primary key. */
    public String key(String table) {
        return columns(table).stream()
                .filter(Column::isKey)
                .map(Column::name)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(table + " has no key of one column"));
    }

    /** The select list of a backup row, each column under its stable name. */
    public String backedUp(String table, String alias) {
        return columns(table).stream()
                .filter(c -> c.inBackup() != null)
                .map(c -> "%s.%s as %s".formatted(alias, c.name(), c.inBackup()))
                .collect(Collectors.joining(", "));
    }

    /**
     * Inserts a backup row. The parameter of a column in the backup has the stable name, that of a
     * recomputed column the current name.
     */
    public Sql restore(String table) {
        var columns =
                columns(table).stream()
                        .filter(c -> c.inBackup() != null || c.isRestored())
                        .toList();
        var names = columns.stream().map(Column::name).collect(Collectors.joining(", "));
        var values =
                columns.stream()
                        .map(c -> ":" + (c.inBackup() == null ? c.name() : c.inBackup()))
                        .collect(Collectors.joining(", "));
        return Sql.of("insert into %s (%s) values (%s)".formatted(table, names, values));
    }

    /** Queries for rows that refer to a missing row, keyed by a description. */
    public Map<String, String> danglingReferences() {
        var questions = new LinkedHashMap<String, String>();
        columns.forEach((table, all) ->
                all.values()
                        .forEach(column -> {
                            var reference = column.reference();
                            if (reference == null) return;
                            var what =
                                    "%s rows whose %s does not exist"
                                            .formatted(table.replace("any_", ""), column.name());
                            questions.put(what, dangling(table, column, reference));
                        }));
        return questions;
    }

    private String dangling(String table, Column column, Reference reference) {
        var missing =
                reference.targets().stream()
                        .map(target -> target.split("\\.", -1))
                        .map(target ->
                                "not exists (select 1 from %s x where x.%s = t.%s)"
                                        .formatted(target[0], target[1], column.name()))
                        .collect(Collectors.joining(" and "));
        var conditions = new ArrayList<>(List.of("t.%s is not null".formatted(column.name())));
        if (reference.condition() != null) conditions.add(reference.condition());
        conditions.add(missing);
        var shown = of(table).containsKey("id") ? "id" : column.name();
        return "select cast(t.%s as text) from %s t where %s"
                .formatted(shown, table, String.join(" and ", conditions));
    }
}
