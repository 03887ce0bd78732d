package dev.coppice.store.schema;

import dev.coppice.store.engine.DamageCheck;
import dev.coppice.store.engine.Postgres;
import dev.coppice.store.engine.SqlDialect;
import dev.coppice.store.engine.Sqlite;
import dev.coppice.store.engine.StoreFailed;
import dev.coppice.store.engine.WriteConnection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The schema of one database, for maintenance. Only {@link #status}, {@link #verify}, {@link
 * #indexes} and {@link #space} may run beside a coordinator.
 */
public final class Schema implements AutoCloseable {
    private static final Duration DAMAGE_BUDGET = Duration.ofHours(1);
    private static final int SHOWN_MAX = 10;
    private static final String BEFORE = "before_step_";
    private static final String PART = "step.db.part";
    private static final int COPIES_MAX = 2;
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd't'HHmmssSSS", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final String OTHERS =
            """
            select count(*) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()
            and backend_type = 'client backend'
            """;

    private final Optional<Path> file;
    private final Connection connection;
    private final SqlDialect dialect;
    private final Migrations migrations;
    private final InstantSource clock;

    private Schema(Optional<Path> file, String url, SqlDialect dialect, InstantSource clock) {
        this.file = file;
        this.dialect = dialect;
        this.migrations = new Migrations(dialect, clock);
        this.clock = clock;
        try {
            this.connection = DriverManager.getConnection(url);
        } catch (SQLException e) {
            throw new StoreFailed("opening the database", e);
        }
    }

    /** Maintenance was refused, and nothing was changed. */
    public static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    /** The database could not be read or changed. */
    public static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unusable(StoreFailed cause) {
            super("%s: %s".formatted(cause.getMessage(), deepest(cause).getMessage()), cause);
        }

        private static Throwable deepest(Throwable e) {
            var cause = e.getCause();
            return cause == null ? e : deepest(cause);
        }
    }

    public <T> T apply(Function<Schema, T> work) {
        try {
            return work.apply(this);
        } catch (StoreFailed e) {
            throw new Unusable(e);
        }
    }

    public static Schema sqlite(Path file, InstantSource clock) {
        if (!Files.isRegularFile(file)) {
            throw new Refused(
                    "there is no database at %s; 'coppice up' creates one".formatted(file));
        }
        return opened(Optional.of(file), "jdbc:sqlite:" + file, new Sqlite(), clock);
    }

    public static Schema postgres(String url, InstantSource clock) {
        return opened(Optional.empty(), url, new Postgres(), clock);
    }

    private static Schema opened(
            Optional<Path> file, String url, SqlDialect dialect, InstantSource clock) {
        try {
            return new Schema(file, url, dialect, clock);
        } catch (StoreFailed e) {
            throw new Unusable(e);
        }
    }

    public List<Migrations.Step> status() {
        return migrations.status(connection);
    }

    /** Applies the pending steps; returns how many. */
    public int migrate() {
        try {
            dialect.holdMigrations(connection);
        } catch (SQLException e) {
            throw new StoreFailed("locking the migrations", e);
        }
        return migrations.up(connection);
    }

    /**
     * Copies an SQLite database that steps are about to change, and deletes all but the newest
     * copies of earlier times. Empty if no step is pending, or the database is new or PostgreSQL's.
     */
    public Optional<Path> copyBeforeSteps(Path backups) {
        var steps = status();
        var pending = steps.stream().filter(s -> s.takenAt() == null).findFirst();
        boolean isNew = steps.stream().allMatch(s -> s.takenAt() == null);
        if (pending.isEmpty() || isNew || file.isEmpty()) return Optional.empty();
        try {
            var stamp = STAMP.format(clock.instant());
            var copy = backups.resolve(BEFORE + pending.get().name() + "_" + stamp + ".db");
            var part = copy.resolveSibling(PART);
            Files.deleteIfExists(part);
            copyInto(part);
            Files.move(part, copy);
            deleteOlderCopies(backups);
            return Optional.of(copy);
        } catch (SQLException e) {
            throw new StoreFailed("copying the database into " + backups + " before its steps", e);
        } catch (IOException e) {
            throw new UncheckedIOException("copying the database before its steps", e);
        }
    }

    private static void deleteOlderCopies(Path backups) throws IOException {
        try (var all = Files.list(backups)) {
            var copies =
                    all.filter(each -> each.getFileName().toString().startsWith(BEFORE))
                            .sorted(Comparator.comparing(Schema::stamp).reversed())
                            .skip(COPIES_MAX)
                            .toList();
            for (var each : copies) Files.delete(each);
        }
    }

    /** The time in the name of a copy. */
    private static String stamp(Path copy) {
        var name = copy.getFileName().toString();
        return name.substring(name.lastIndexOf('_') + 1);
    }

    /**
     * The step that was rolled back, the data that only it could hold, and the copy of the
     * database: a file, or a schema.
     */
    public record RolledBack(
            Migrations.Step step, List<String> lost, Optional<Path> file, String schema) {
        public RolledBack {
            lost = List.copyOf(lost);
        }
    }

    /**
     * Copies the whole database, then rolls the last step back. SQLite's copy is a file in {@code
     * backups}; PostgreSQL's is a schema of the same database.
     */
    public RolledBack rollback(Path backups) {
        var taken = status().stream().filter(s -> s.takenAt() != null).toList();
        if (taken.isEmpty()) throw new Refused("no step is left to roll back");
        if (!Migrations.goesDown(taken.getLast().name())) {
            throw new Refused(
                    "step %s cannot be rolled back: restore a copy of the database from before it"
                            .formatted(taken.getLast().name()));
        }
        try {
            dialect.holdMigrations(connection);
            var name = "before_rollback_" + STAMP.format(clock.instant());
            var copy = file.map(_ -> backups.resolve(name + ".db"));
            if (copy.isPresent()) copyInto(copy.get());
            else copySchema(name);
            var lost = new ArrayList<>(migrations.losses(connection, taken.getLast().name()));
            lost.addAll(dropIndexes());
            migrations.down(connection, taken.size() - 1);
            return new RolledBack(taken.getLast(), lost, copy, name);
        } catch (SQLException e) {
            throw new StoreFailed("rolling back the database", e);
        }
    }

    /** Drops the extra indexes, which may depend on what the step removes. */
    private List<String> dropIndexes() throws SQLException {
        var indexes = extraIndexes();
        var dropped = new ArrayList<String>();
        for (var index : indexes.present()) {
            indexes.drop(index);
            dropped.add("the index on " + index.column());
        }
        return dropped;
    }

    /** The extra indexes that the database has. */
    public Set<ExtraIndex> indexes() {
        try {
            return extraIndexes().present();
        } catch (SQLException e) {
            throw new StoreFailed("listing the indexes of the database", e);
        }
    }

    /** Adds an index, unless the database has it. Reads and may rewrite all events. */
    public void addIndex(ExtraIndex index) {
        changeIndexes(indexes -> indexes.add(index));
    }

    /** Drops an index, if the database has it. May rewrite all events. */
    public void dropIndex(ExtraIndex index) {
        changeIndexes(indexes -> indexes.drop(index));
    }

    private interface IndexChange {
        void on(ExtraIndexes indexes) throws SQLException;
    }

    private void changeIndexes(IndexChange change) {
        for (var step : status()) {
            if (step.takenAt() != null) continue;
            throw new Refused(
                    "step %s is pending; take it with 'coppice db migrate' first"
                            .formatted(step.name()));
        }
        try {
            if (file.isEmpty()) refuseBesideOthers();
            dialect.holdMigrations(connection);
            change.on(extraIndexes());
        } catch (SQLException e) {
            throw new StoreFailed("changing the indexes of the database", e);
        }
    }

    private ExtraIndexes extraIndexes() {
        return new ExtraIndexes(connection, dialect, migrations);
    }

    /** Measures the disk space of the database. Reads every page of it. */
    public Space space() {
        return file.isPresent() ? Space.sqlite(connection) : Space.postgres(connection);
    }

    /** Returns the space of deleted rows to the file system. Needs as much space meanwhile. */
    public void compact() {
        file.ifPresent(Schema::mergeTexts);
        try (var statement = connection.createStatement()) {
            if (file.isPresent()) {
                statement.execute("vacuum");
                statement.execute("pragma wal_checkpoint(truncate)");
            } else {
                refuseBesideOthers();
                statement.execute("vacuum (full, analyze)");
            }
        } catch (SQLException e) {
            throw new StoreFailed("compacting the database", e);
        }
    }

    /** Uses its own connection: the index keeps a statement open, beside which a vacuum fails. */
    private static void mergeTexts(Path file) {
        try (var own = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = own.createStatement()) {
            statement.execute("insert into event_text (event_text) values ('optimize')");
        } catch (SQLException e) {
            throw new StoreFailed("merging the full-text index", e);
        }
    }

    private void refuseBesideOthers() throws SQLException {
        try (var statement = connection.createStatement();
                var others = statement.executeQuery(OTHERS)) {
            others.next();
            if (others.getLong(1) > 0) {
                throw new Refused(
                        "%d other connections use the database; stop every coordinator first"
                                .formatted(others.getLong(1)));
            }
        }
    }

    /** Copies an SQLite database, also beside a coordinator; false if it is PostgreSQL's. */
    public boolean copy(Path to) {
        if (file.isEmpty()) return false;
        try {
            copyInto(to);
            return true;
        } catch (SQLException e) {
            throw new StoreFailed("copying the database", e);
        }
    }

    private void copyInto(Path copy) throws SQLException {
        try (var statement = connection.prepareStatement("vacuum into ?")) {
            statement.setString(1, copy.toString());
            statement.execute();
        }
        var damage = DamageCheck.sqlite(copy, DAMAGE_BUDGET);
        if (!damage.isEmpty()) {
            throw new Refused("the copy %s is damaged: %s".formatted(copy, damage.getFirst()));
        }
    }

    private void copySchema(String name) throws SQLException {
        try (var statement = connection.createStatement()) {
            refuseBesideOthers();
            var tables = new ArrayList<>(Tables.current().names());
            // The full-text index is not copied; without its position, it is filled again.
            tables.remove("event_indexed");
            tables.add("migration");
            connection.setAutoCommit(false);
            try {
                statement.execute("create schema " + name);
                for (var table : tables) {
                    statement.execute(
                            "create table %s.%s as table %s".formatted(name, table, table));
                }
                connection.commit();
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    /** The flaws of steps, columns, pages, indexes and references; empty if there are none. */
    public List<String> verify() {
        var flaws = new ArrayList<String>();
        try {
            for (var step : status()) {
                if (step.takenAt() == null) flaws.add("step %s is pending".formatted(step.name()));
            }
            if (!flaws.isEmpty()) return flaws;
            flaws.addAll(columnFlaws());
            flaws.addAll(damage());
            if (flaws.isEmpty()) flaws.addAll(dangling());
        } catch (Migrations.Misfit e) {
            flaws.add(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            throw new StoreFailed("verifying the database", e);
        }
        return flaws;
    }

    /** Columns that the migrations describe but the database lacks, and the reverse. */
    List<String> columnFlaws() throws SQLException {
        var described = new TreeSet<String>();
        var tables = Tables.current();
        for (var table : tables.names()) {
            for (var column : tables.columns(table)) {
                described.add(column(table, column.name(), column.isNullable()));
            }
        }
        var found = columns();
        var flaws = new ArrayList<String>();
        described.stream().filter(c -> !found.contains(c)).forEach(c -> flaws.add("missing: " + c));
        found.stream().filter(c -> !described.contains(c)).forEach(c -> flaws.add("unknown: " + c));
        return flaws;
    }

    private static String column(String table, String name, boolean isNullable) {
        return "column %s.%s%s".formatted(table, name, isNullable ? "" : ", not null");
    }

    private Set<String> columns() throws SQLException {
        var schema = file.isPresent() ? null : connection.getSchema();
        var keys = new HashSet<String>();
        var found = new TreeSet<String>();
        var meta = connection.getMetaData();
        for (var table : Tables.current().names()) {
            try (var rows = meta.getPrimaryKeys(null, schema, table)) {
                while (rows.next()) keys.add(table + "." + rows.getString("COLUMN_NAME"));
            }
            // SQLite's driver cannot list more than 500 columns at once.
            try (var rows = meta.getColumns(null, schema, table, "%")) {
                while (rows.next()) {
                    if (!rows.getString("TABLE_NAME").equals(table)) continue;
                    var name = rows.getString("COLUMN_NAME");
                    // SQLite's catalog reports an integer primary key as nullable, although it
                    // never is null.
                    boolean isKey = keys.contains(table + "." + name);
                    boolean isNullable = rows.getInt("NULLABLE") == DatabaseMetaData.columnNullable;
                    found.add(column(table, name, isNullable && !isKey));
                }
            }
        }
        return found;
    }

    private List<String> damage() throws SQLException {
        if (file.isPresent()) return DamageCheck.sqlite(file.get(), DAMAGE_BUDGET);
        connection.setAutoCommit(false);
        try {
            return DamageCheck.postgres(connection, DAMAGE_BUDGET);
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private List<String> dangling() throws SQLException {
        var flaws = new ArrayList<String>();
        try (var statement = connection.createStatement()) {
            for (var question : Tables.current().danglingReferences().entrySet()) {
                var some = new ArrayList<String>();
                try (var rows = statement.executeQuery(question.getValue())) {
                    while (rows.next() && some.size() < SHOWN_MAX) some.add(rows.getString(1));
                }
                if (!some.isEmpty()) {
                    flaws.add("%s: %s".formatted(question.getKey(), String.join(", ", some)));
                }
            }
        }
        return flaws;
    }

    @Override
    public void close() {
        WriteConnection.closeQuietly(connection);
    }
}
