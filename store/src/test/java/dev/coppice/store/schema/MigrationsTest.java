package dev.coppice.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.scene.Temporary;
import dev.coppice.store.Stores;
import dev.coppice.store.engine.Postgres;
import dev.coppice.store.engine.SqlDialect;
import dev.coppice.store.engine.Sqlite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

class MigrationsTest {
    private static final Pattern FROZEN = Pattern.compile("(?m)^-- frozen: (.*)$");
    private static final List<SqlDialect> DIALECTS = List.of(new Sqlite(), new Postgres());

    /** A frozen step never changes. Only the newest may still be in the making. */
    @Test
    void every_step_but_the_newest_is_frozen() {
        for (var name : Migrations.names()) {
            var frozen = FROZEN.matcher(Migrations.head(name));
            boolean isFrozen = frozen.find();
            if (!isFrozen && name.equals(Migrations.names().getLast())) continue;
            var now =
                    DIALECTS.stream()
                            .map(d -> d.name() + " " + checksum(d, name))
                            .collect(Collectors.joining(", "));
            assertThat(isFrozen).as("%s lacks '-- frozen: %s'", name, now).isTrue();
            assertThat(frozen.group(1)).as(name).isEqualTo(now);
        }
    }

    private static String checksum(SqlDialect dialect, String name) {
        var migrations = new Migrations(dialect, InstantSource.system());
        return migrations.checksum(name).substring(0, 16);
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
        var url = url(stores);
        try (var connection = DriverManager.getConnection(url)) {
            new Migrations(dialect(stores), InstantSource.system()).up(connection);
        }
        try (var schema = schema(stores, url)) {
            assertThat(schema.columnFlaws()).isEmpty();
            assertThat(schema.verify()).isEmpty();
        }
        try (var connection = DriverManager.getConnection(url)) {
            run(connection, "alter table run add column more integer");
            run(connection, "alter table budget rename column told to heard");
        }
        try (var schema = schema(stores, url)) {
            assertThat(schema.verify())
                    .contains(
                            "unknown: column run.more",
                            "missing: column budget.told, not null",
                            "unknown: column budget.heard, not null");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void rolling_back_leaves_a_copy_of_everything(Stores stores) throws SQLException {
        var url = url(stores);
        try (var connection = DriverManager.getConnection(url)) {
            new Migrations(dialect(stores), InstantSource.system()).up(connection);
            run(connection, "insert into account_hold values ('team', 1, 1, 'quota')");
        }
        var backups = Temporary.directory("coppice-rollback");
        try (var schema = schema(stores, url)) {
            var rolledBack = schema.rollback(backups);
            assertThat(rolledBack.step().name()).isEqualTo(Migrations.names().getLast());
            assertThat(schema.status().getLast().takenAt()).isNull();
            var sqlite = stores == Stores.SQLITE;
            var copied = rolledBack.file().map(file -> "jdbc:sqlite:" + file).orElse(url);
            try (var connection = DriverManager.getConnection(copied);
                    var statement = connection.createStatement();
                    var rows =
                            statement.executeQuery(
                                    "select account from %saccount_hold"
                                            .formatted(sqlite ? "" : rolledBack.schema() + "."))) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("team");
            }
            assertThat(schema.migrate()).isOne();
            assertThat(schema.verify()).isEmpty();
        }
    }

    @Test
    void a_rollback_beside_a_coordinator_is_refused() {
        var url = Stores.url();
        try (var _ = Databases.postgres(url, Duration.ZERO, InstantSource.system(), _ -> {});
                var schema = Schema.postgres(url, InstantSource.system())) {
            assertThatThrownBy(() -> schema.rollback(Path.of("unused")))
                    .isInstanceOf(Schema.Refused.class)
                    .hasMessageContaining("stop every coordinator first");
            assertThat(schema.verify()).isEmpty();
        }
    }

    private static Schema schema(Stores stores, String url) {
        return stores == Stores.SQLITE
                ? Schema.sqlite(
                        Path.of(url.substring("jdbc:sqlite:".length())), InstantSource.system())
                : Schema.postgres(url, InstantSource.system());
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
    void a_database_from_another_version_is_refused(Stores stores) throws SQLException {
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

    private static SqlDialect dialect(Stores stores) {
        return stores == Stores.SQLITE ? new Sqlite() : new Postgres();
    }

    private static Set<String> columns(Connection connection) throws SQLException {
        var found = new TreeSet<String>();
        var schema =
                connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
                        ? "public"
                        : null;
        var meta = connection.getMetaData();
        var tables = new ArrayList<String>();
        try (var rows = meta.getTables(null, schema, "%", new String[] {"TABLE", "VIEW"})) {
            while (rows.next()) tables.add(rows.getString(3));
        }
        for (var table : tables) {
            try (var rows = meta.getColumns(null, schema, table, "%")) {
                while (rows.next()) found.add(rows.getString(3) + "." + rows.getString(4));
            }
        }
        found.removeIf(c -> c.startsWith("sqlite_"));
        return found;
    }
}
