package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Map.entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

class MigrationsTest {
    /** A step once released never changes; a new one is a new line here. */
    private static final Map<String, String> FROZEN =
            Map.ofEntries(
                    entry("sqlite 0001_tables", "ebfa04f1d340d2cd"),
                    entry("postgres 0001_tables", "56a32fd242f3fd15"));

    private static final List<Dialect> DIALECTS = List.of(new Sqlite(), new Postgres());

    @Test
    void released_steps_are_frozen() {
        var found = new TreeMap<String, String>();
        for (var dialect : DIALECTS) {
            var migrations = new Migrations(dialect, InstantSource.system());
            for (var name : Migrations.names()) {
                found.put(dialect.name() + " " + name, migrations.checksum(name).substring(0, 16));
            }
        }
        assertThat(found).isEqualTo(new TreeMap<>(FROZEN));
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void all_steps_go_up_and_down_and_up_again(Stores stores) throws SQLException {
        try (var connection = DriverManager.getConnection(url(stores))) {
            var migrations = new Migrations(dialect(stores), InstantSource.system());
            assertThat(migrations.up(connection)).isEqualTo(Migrations.newest());
            var full = columns(connection);
            assertThat(migrations.up(connection)).isZero();
            migrations.down(connection, 0);
            assertThat(columns(connection)).allMatch(c -> c.startsWith("migration."));
            migrations.up(connection);
            assertThat(columns(connection)).isEqualTo(full);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_migrated_database_has_the_described_columns(Stores stores) throws SQLException {
        try (var connection = DriverManager.getConnection(url(stores))) {
            new Migrations(dialect(stores), InstantSource.system()).up(connection);
            var described = new TreeSet<String>();
            var tables = Tables.current();
            for (var table : tables.names()) {
                for (var column : tables.columns(table)) {
                    described.add(
                            "%s.%s %s"
                                    .formatted(
                                            table,
                                            column.name(),
                                            column.isNullable() ? "null" : "not null"));
                }
            }
            var found = columns(connection);
            found.removeIf(c -> c.startsWith("migration.") || c.startsWith("session."));
            assertThat(found).isEqualTo(described);
        }
    }

    @Test
    void constraints_have_names() {
        Migrations.neutral()
                .flatMap(String::lines)
                .filter(line -> line.contains("check ("))
                .forEach(line -> assertThat(line).contains("constraint "));
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_database_from_a_newer_version_is_left_alone(Stores stores) throws SQLException {
        try (var connection = DriverManager.getConnection(url(stores))) {
            var migrations = new Migrations(dialect(stores), InstantSource.system());
            migrations.up(connection);
            run(
                    connection,
                    "insert into migration values (%d, '9999_future', 'x', 0)"
                            .formatted(Migrations.newest() + 1));
            assertThatThrownBy(() -> migrations.up(connection))
                    .isInstanceOf(Migrations.Misfit.class)
                    .hasMessageContaining("newer version");
            run(connection, "delete from migration where number > " + Migrations.newest());
            run(connection, "update migration set checksum = 'other'");
            assertThatThrownBy(() -> migrations.up(connection))
                    .isInstanceOf(Migrations.Misfit.class)
                    .hasMessageContaining("another version of step");
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String url(Stores stores) {
        return stores == Stores.SQLITE ? "jdbc:sqlite:" + Stores.file() : Stores.url();
    }

    private static Dialect dialect(Stores stores) {
        return stores == Stores.SQLITE ? new Sqlite() : new Postgres();
    }

    /** SQLite's catalog calls an integer key nullable, although it never is null. */
    private static boolean isKey(Connection connection, String table, String column)
            throws SQLException {
        try (var rows = connection.getMetaData().getPrimaryKeys(null, null, table)) {
            while (rows.next()) if (rows.getString("COLUMN_NAME").equals(column)) return true;
            return false;
        }
    }

    private static Set<String> columns(Connection connection) throws SQLException {
        var found = new TreeSet<String>();
        var schema =
                connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
                        ? "public"
                        : null;
        try (var rows = connection.getMetaData().getColumns(null, schema, "%", "%")) {
            while (rows.next()) {
                boolean key = isKey(connection, rows.getString(3), rows.getString(4));
                boolean isNullable = rows.getInt("NULLABLE") == DatabaseMetaData.columnNullable;
                found.add(
                        "%s.%s %s"
                                .formatted(
                                        rows.getString(3),
                                        rows.getString(4),
                                        isNullable && !key ? "null" : "not null"));
            }
        }
        found.removeIf(c -> c.startsWith("sqlite_"));
        return found;
    }
}
