package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Map.entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
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
                    entry("sqlite 0001_sessions_runs_events", "64b8aaa311692497"),
                    entry("postgres 0001_sessions_runs_events", "47adb583545aff63"),
                    entry("sqlite 0002_callbacks_joins", "6781091d07cc00ac"),
                    entry("postgres 0002_callbacks_joins", "331a201786dd812c"),
                    entry("sqlite 0003_stops", "97a112c5f0d53f36"),
                    entry("postgres 0003_stops", "05ff98da267e46bb"),
                    entry("sqlite 0004_budgets", "66943b02c3b1eb6e"),
                    entry("postgres 0004_budgets", "18d955b5463e3fa7"),
                    entry("sqlite 0005_patience", "bf9c935e17d13c09"),
                    entry("postgres 0005_patience", "beed30eacbac07df"),
                    entry("sqlite 0006_removals", "2fefd251f80676f8"),
                    entry("postgres 0006_removals", "e84e1ef6493fc227"),
                    entry("sqlite 0007_audit", "aeb4f1d319042f77"),
                    entry("postgres 0007_audit", "09879186c2288e8b"),
                    entry("sqlite 0008_budgets_told", "86bca0bcb15a3969"),
                    entry("postgres 0008_budgets_told", "86bca0bcb15a3969"),
                    entry("sqlite 0009_work", "febde9c03e613d97"),
                    entry("postgres 0009_work", "19b2d88fc2208a82"),
                    entry("sqlite 0010_checks", "f509572058cdc314"),
                    entry("postgres 0010_checks", "d70e7e2e5da0ad32"),
                    entry("sqlite 0011_given_up", "d54b2fd69a919b78"),
                    entry("postgres 0011_given_up", "d54c94fb50afe740"),
                    entry("sqlite 0012_taken_away", "e985909342e25f2b"),
                    entry("postgres 0012_taken_away", "e985909342e25f2b"),
                    entry("sqlite 0013_came_from", "f9673ad742fcb449"),
                    entry("postgres 0013_came_from", "e76d0f00ed11f4e6"),
                    entry("sqlite 0014_confirmed_work", "db1915dcd829c45f"),
                    entry("postgres 0014_confirmed_work", "010285d55d441050"),
                    entry("sqlite 0015_kept_repository", "4e7f917e8df956dc"),
                    entry("postgres 0015_kept_repository", "4e7f917e8df956dc"),
                    entry("sqlite 0016_shared_places", "85ccf81e0c5c1ca5"),
                    entry("postgres 0016_shared_places", "85ccf81e0c5c1ca5"),
                    entry("sqlite 0017_room_to_update", "3d14db9a0c42cb3c"),
                    entry("postgres 0017_room_to_update", "5d2eadfcb37ee67a"),
                    entry("sqlite 0018_tree_bytes", "9d244dd5f0e49adb"),
                    entry("postgres 0018_tree_bytes", "45552e2ca4907296"));

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

    @Test
    void both_databases_have_the_same_tables_and_columns() throws SQLException {
        try (var sqlite = DriverManager.getConnection(url(Stores.SQLITE));
                var postgres = DriverManager.getConnection(url(Stores.POSTGRES))) {
            new Migrations(new Sqlite(), InstantSource.system()).up(sqlite);
            new Migrations(new Postgres(), InstantSource.system()).up(postgres);
            assertThat(columns(sqlite)).isEqualTo(columns(postgres)).isNotEmpty();
        }
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
                    .hasMessageContaining("was changed");
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

    private static Set<String> columns(Connection connection) throws SQLException {
        var found = new TreeSet<String>();
        var schema =
                connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
                        ? "public"
                        : null;
        try (var rows = connection.getMetaData().getColumns(null, schema, "%", "%")) {
            while (rows.next())
                found.add(rows.getString("TABLE_NAME") + "." + rows.getString("COLUMN_NAME"));
        }
        found.removeIf(c -> c.startsWith("sqlite_"));
        return found;
    }
}
