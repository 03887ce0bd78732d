package dev.coppice.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings a database to this version's shape: numbered steps, each with its way back, each in one
 * transaction together with the record of having been taken. A step once released never changes;
 * its checksum is kept with the record and compared.
 */
public final class Migrations {
    private static final List<String> NAMES =
            List.of(
                    "0001_sessions_runs_events",
                    "0002_callbacks_joins",
                    "0003_stops",
                    "0004_budgets",
                    "0005_patience",
                    "0006_removals",
                    "0007_audit",
                    "0008_budgets_told",
                    "0009_work",
                    "0010_checks",
                    "0011_given_up",
                    "0012_taken_away",
                    "0013_came_from",
                    "0014_confirmed_work",
                    "0015_kept_repository",
                    "0016_shared_places",
                    "0017_room_to_update",
                    "0018_tree_bytes");

    private final String dialect;
    private final InstantSource clock;

    public Migrations(Dialect dialect, InstantSource clock) {
        this.dialect = dialect.name();
        this.clock = clock;
    }

    /** The database and this program do not fit together; nothing was touched. */
    public static final class Misfit extends RuntimeException {
        private static final long serialVersionUID = 1;

        Misfit(String message) {
            super(message);
        }
    }

    static List<String> names() {
        return NAMES;
    }

    public static int newest() {
        return NAMES.size();
    }

    /** Takes every step that has not been taken, in order; returns how many. */
    public int up(Connection connection) {
        try {
            var taken = taken(connection);
            check(taken);
            int steps = 0;
            for (int number = taken.size() + 1; number <= NAMES.size(); number++) {
                step(connection, number);
                steps++;
            }
            return steps;
        } catch (SQLException e) {
            throw new StoreFailed("migrating the database", e);
        }
    }

    /** Takes steps back until only {@code target} are left. */
    public void down(Connection connection, int target) {
        try {
            var taken = taken(connection);
            check(taken);
            for (int number = taken.size(); number > target; number--) {
                var name = NAMES.get(number - 1);
                int gone = number;
                inTransaction(
                        connection,
                        text(name, "down"),
                        "delete from migration where number = " + gone);
            }
        } catch (SQLException e) {
            throw new StoreFailed("taking back migrations", e);
        }
    }

    private void check(Map<Integer, String> taken) {
        if (taken.size() > NAMES.size()) {
            throw new Misfit(
                    "the database is from a newer version of Coppice: it has "
                            + "%d migrations, this version knows %d"
                                    .formatted(taken.size(), NAMES.size()));
        }
        taken.forEach((number, checksum) -> {
            var name = NAMES.get(number - 1);
            if (!checksum.equals(checksum(name))) {
                throw new Misfit(
                        "migration %s was changed after it had been taken; ".formatted(name)
                                + "the database and this program do not fit");
            }
        });
    }

    private void step(Connection connection, int number) throws SQLException {
        var name = NAMES.get(number - 1);
        inTransaction(
                connection,
                text(name, "up"),
                """
                insert into migration (number, name, checksum, taken_at)
                values (%d, '%s', '%s', %d)
                """
                        .formatted(number, name, checksum(name), clock.millis()));
    }

    private static void inTransaction(Connection connection, String script, String record)
            throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            for (var sql : statements(script)) statement.execute(sql);
            statement.execute(record);
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    /** Statements end with a semicolon at the end of a line. */
    private static List<String> statements(String script) {
        return java.util.Arrays.stream(script.split(";\\s*\\n"))
                .filter(sql -> !sql.isBlank())
                .toList();
    }

    private static Map<Integer, String> taken(Connection connection) throws SQLException {
        var taken = new TreeMap<Integer, String>();
        try (var statement = connection.createStatement()) {
            statement.execute(
                    """
                    create table if not exists migration (
                        number integer primary key, name text not null,
                        checksum text not null, taken_at bigint not null)
                    """);
            try (var rows =
                    statement.executeQuery(
                            "select number, checksum from migration order by number")) {
                while (rows.next()) taken.put(rows.getInt(1), rows.getString(2));
            }
        }
        return taken;
    }

    String checksum(String name) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(text(name, "up").getBytes(StandardCharsets.UTF_8));
            digest.update(text(name, "down").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    String text(String name, String direction) {
        var path = "/migrations/%s/%s.%s.sql".formatted(dialect, name, direction);
        try (var in = Migrations.class.getResourceAsStream(path)) {
            if (in == null) throw new IllegalStateException("no migration " + path);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }
}
