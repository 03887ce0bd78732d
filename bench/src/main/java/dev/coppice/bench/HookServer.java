package dev.coppice.bench;

import dev.coppice.scene.Temporary;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The original hook server, if the environment names its source ({@code HOOK_SERVER}) and the
 * program {@code bun} that runs it ({@code BUN}). It listens on loopback only.
 */
final class HookServer implements AutoCloseable {
    private static final String LOOPBACK =
            "const s = Bun.serve;"
                    + " (Bun as any).serve = (o: any) => s({ ...o, hostname: \"127.0.0.1\" });";
    private static final int TRIES = 200;
    private final Process process;
    private final int port;

    private HookServer(Path source, Path bun) throws IOException, InterruptedException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var directory = Temporary.directory("hook-server");
        copy(source, directory);
        var loopback = Files.writeString(directory.resolve("loopback.ts"), LOOPBACK);
        var start =
                new ProcessBuilder(bun.toString(), "--preload", loopback.toString(), "src/index.ts")
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("log").toFile());
        start.environment().put("SERVER_PORT", Integer.toString(port));
        process = start.start();
        for (int i = 0; i < TRIES && !listens(); i++) Load.rest();
    }

    static Optional<HookServer> start() throws IOException, InterruptedException {
        var source = System.getenv("HOOK_SERVER");
        var bun = System.getenv("BUN");
        if (source == null || bun == null) return Optional.empty();
        return Optional.of(new HookServer(Path.of(source), Path.of(bun)));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (var file : all.filter(Files::isRegularFile).toList()) {
                var copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    private boolean listens() {
        try (var probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException _) {
            return false;
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        var _ = process.onExit().join();
    }

    /** The hook server's table with its four indexes, written by one thread at our durability. */
    static final class Table implements AutoCloseable {
        private final Connection connection;
        private final PreparedStatement insert;

        Table() throws SQLException {
            var file = Temporary.directory("hook-table").resolve("events.db");
            connection =
                    DriverManager.getConnection(
                            "jdbc:sqlite:" + file + "?jdbc.get_generated_keys=false");
            try (var statement = connection.createStatement()) {
                statement.execute("pragma journal_mode = wal");
                statement.execute("pragma synchronous = full");
                statement.execute(
                        """
                        create table events (
                            id integer primary key autoincrement, source_app text not null,
                            session_id text not null, hook_event_type text not null,
                            payload text not null, timestamp integer not null)
                        """);
                for (var column :
                        new String[] {"source_app", "session_id", "hook_event_type", "timestamp"}) {
                    statement.execute("create index by_%1$s on events (%1$s)".formatted(column));
                }
            }
            connection.setAutoCommit(false);
            insert =
                    connection.prepareStatement(
                            "insert into events (source_app, session_id, hook_event_type, payload,"
                                    + " timestamp) values (?, ?, ?, ?, ?)");
        }

        double perSecond(int total, int perCommit) throws SQLException {
            long from = System.nanoTime();
            for (int i = 0; i < total; i++) {
                insert.setString(1, "app-" + i % 8);
                insert.setString(2, "00893aaf-19fa-41d2-8238-%012d".formatted(i % 200));
                insert.setString(3, "PreToolUse");
                insert.setString(4, IngestBench.event(i));
                insert.setLong(5, 1_763_690_951_000L + i);
                insert.executeUpdate();
                if ((i + 1) % perCommit == 0) connection.commit();
            }
            connection.commit();
            return total / ((System.nanoTime() - from) / 1e9);
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
