package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Removal, undo, purge, backup and restore of large trees: a thousand sessions with a million
 * events, and a hundred thousand sessions. A purge is compared with one cascading delete of the
 * same rows by SQLite alone; NeighbourBench measures the effect on other clients.
 */
final class RemovalBench {
    private static final double ANSWER_SECONDS_MAX = 1.0;
    private static final double PURGE_TARGET = 12.0;
    private static final double BACKUP = 20.0;
    private static final double RESTORE = 60.0;
    private static final double MEMORY_MB_MAX = 32;
    static final int EVENTS = 1_000_000;
    private static final long LOOK_MILLIS = 20;

    private RemovalBench() {}

    static void run(Verdicts verdicts) throws Exception {
        try (var server = new Server()) {
            grow(server, "deep", 1_000, EVENTS);
            cutDown(verdicts, server, "deep", "1,000 sessions, 1,000,000 events");
        }
        try (var server = new Server()) {
            grow(server, "wide", 100_000, 0);
            cutDown(verdicts, server, "wide", "100,000 sessions");
        }
    }

    private static void cutDown(Verdicts verdicts, Server server, String top, String what)
            throws Exception {
        long before = bytes(server);
        forgetPeak();
        double plan = seconds(() -> server.get("/sessions/" + top + "/removal-plan"));
        var removal = new JsonNode[1];
        double asked =
                seconds(() -> removal[0] = server.post("/sessions/" + top + "/removal", "{}"));
        var path = "/removals/" + Json.text(removal[0], "removal_id");
        double fenced =
                seconds(() -> awaitPast(server, path, "fencing", "quiescing", "preserving"));
        double backedUp = seconds(() -> awaitPast(server, path, "backing_up"));
        double peak = peak();
        forgetPeak();
        double told = seconds(() -> awaitPast(server, path, "hiding"));
        double undo = seconds(() -> server.post(path + "/undo", "{}"));
        double back = seconds(() -> awaitPast(server, path, "undoing"));
        Verdicts.note(
                "%s: plan %.2f s, removal answers in %.2f s, fenced after %.2f s more, backed up"
                    + " and hidden after %.2f s more, announced after %.2f s more, undo answers in"
                    + " %.2f s, announced after %.2f s more",
                what, plan, asked, fenced, backedUp, told, undo, back);
        verdicts.atMost(what + ": a removal answers", Amount.seconds(asked), ANSWER_SECONDS_MAX);
        verdicts.atMost(
                what + ": peak memory of removal and backup",
                Amount.megabytes(peak),
                MEMORY_MB_MAX);
        verdicts.atMost(what + ": an undo answers", Amount.seconds(undo), ANSWER_SECONDS_MAX);
        verdicts.atMost(what + ": peak memory of an undo", Amount.megabytes(peak()), MEMORY_MB_MAX);
        double hidden = hidden(server, top);
        Verdicts.note("%s: without a backup, hidden %.2f s after the fence", what, hidden);
        verdicts.atMost(
                what + ": hidden after the fence", Amount.seconds(hidden), ANSWER_SECONDS_MAX);
        double bare = bareDelete(server, top);
        double copy = bareCopy(server);
        verdicts.atMost(
                what + ": backup; against a copy of the database",
                Amount.seconds(backedUp),
                Amount.seconds(copy),
                BACKUP);
        var again = server.post("/sessions/" + top + "/removal?wait=1h", "{}");
        var second = "/removals/" + Json.text(again, "removal_id");
        forgetPeak();
        double purged = seconds(() -> server.post(second + "/purge?wait=1h", "{}"));
        verdicts.atMost(what + ": peak memory of a purge", Amount.megabytes(peak()), MEMORY_MB_MAX);
        Verdicts.note(
                "%s: purged in %.2f s, one cascading delete %.2f s; %d MB before, %d MB after; %d"
                        + " MB of memory in use",
                what, purged, bare, before >> 20, bytes(server) >> 20, memory() >> 20);
        verdicts.atMost(
                what + ": purge; against one delete",
                Amount.seconds(purged),
                Amount.seconds(bare),
                PURGE_TARGET);
        restore(verdicts, server, what, again, copy);
    }

    /** Seconds from the end of the fence until the tree is hidden, without a backup. */
    private static double hidden(Server server, String top) throws Exception {
        var removal = server.post("/sessions/" + top + "/removal", "{\"backup\":\"no\"}");
        var path = "/removals/" + Json.text(removal, "removal_id");
        awaitPast(server, path, "fencing");
        double hidden =
                seconds(() -> awaitPast(server, path, "quiescing", "preserving", "backing_up"));
        awaitPast(server, path, "hiding");
        server.post(path + "/undo", "{}");
        awaitPast(server, path, "undoing");
        return hidden;
    }

    private static void restore(
            Verdicts verdicts, Server server, String what, JsonNode removal, double copy)
            throws Exception {
        var file = removal.get("backup");
        var name = Json.object().put("file", String.valueOf(Json.text(file, "file")));
        forgetPeak();
        double restored =
                seconds(() -> {
                    var begun = server.post("/restores", name.toString());
                    var id = Json.text(begun, "removal_id");
                    var ended = server.get("/removals/" + id + "?wait=1h");
                    if (!"undone".equals(Json.text(ended, "state"))) {
                        throw new IllegalStateException(ended.toString());
                    }
                });
        Verdicts.note(
                "%s: restored in %.2f s from a file of %d MB; a copy of the database takes %.2f s",
                what, restored, file.get("size").asLong() >> 20, copy);
        verdicts.atMost(
                what + ": peak memory of a restore", Amount.megabytes(peak()), MEMORY_MB_MAX);
        verdicts.atMost(
                what + ": restore; against a copy of the database",
                Amount.seconds(restored),
                Amount.seconds(copy),
                RESTORE);
    }

    /** Seconds for SQLite to copy all rows from one file into another. */
    private static double bareCopy(Server server) throws Exception {
        var copy = server.data().resolve("bare.db");
        try (var connection = DriverManager.getConnection(url(file(server)));
                var statement = connection.createStatement()) {
            return seconds(() -> statement.execute("vacuum into '" + copy + "'"));
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    static double seconds(Load.Other step) throws Exception {
        long from = System.nanoTime();
        step.run();
        return (System.nanoTime() - from) / 1e9;
    }

    private static void awaitPast(Server server, String path, String... states)
            throws InterruptedException {
        while (List.of(states).contains(Json.text(server.get(path), "state"))) {
            boolean never = new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (never) throw new IllegalStateException("this latch is never opened");
        }
    }

    /** Creates sessions over HTTP; writes their ends and their events straight into the file. */
    static void grow(Server server, String top, int sessions, int events) throws Exception {
        TreeBench.grow(server, top, sessions);
        try (var connection = DriverManager.getConnection(url(file(server)));
                var statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = 60000");
            statement.executeUpdate(
                    "update any_session set state = 'finished', reason = 'done', ended_at = since,"
                            + " living_children = 0, living_below = 0 where id <> 'neighbour'");
            if (events == 0) return;
            statement.executeUpdate(
                    """
                    with recursive n (i) as (select 1 union all select i + 1 from n where i < %d)
                    insert into event (session, session_id, tree, type, at, body)
                    select s.key, s.id, s.tree, '*message', 0,
                        '{"role":"assistant","content":[{"type":"text","text":"' || i || '"}]}'
                    from n join any_session s
                    on s.key = (select min(key) from any_session where id = '%s') + i %% %d
                    """
                            .formatted(events, top, sessions));
        }
        Verdicts.note("wrote %d events", events);
    }

    private static Path file(Server server) {
        return server.data().resolve("coppice.db");
    }

    private static String url(Path file) {
        return "jdbc:sqlite:" + file;
    }

    /** Seconds to delete the same rows in a copy of the database by the schema's cascade. */
    private static double bareDelete(Server server, String top) throws Exception {
        var copy = server.data().resolve("copy.db");
        try (var connection = DriverManager.getConnection(url(file(server)));
                var statement = connection.createStatement()) {
            statement.execute("vacuum into '" + copy + "'");
        }
        try (var connection = DriverManager.getConnection(url(copy));
                var statement = connection.createStatement()) {
            statement.execute("pragma journal_mode = wal");
            statement.execute("pragma synchronous = full");
            statement.execute("pragma secure_delete = on");
            statement.execute("pragma foreign_keys = on");
            return seconds(() ->
                    statement.executeUpdate("delete from any_session where id = '" + top + "'"));
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private static long bytes(Server server) throws SQLException {
        try (var connection = DriverManager.getConnection(url(file(server)));
                var statement = connection.createStatement();
                var row =
                        statement.executeQuery(
                                "select (page_count - freelist_count) * page_size from"
                                        + " pragma_page_count(), pragma_freelist_count(),"
                                        + " pragma_page_size()")) {
            return row.getLong(1);
        }
    }

    /**
     * Peak size of the old generation in MB: if code held all rows at once, they would be there.
     */
    private static double peak() {
        return old().mapToDouble(pool -> pool.getPeakUsage().getUsed()).sum() / (1 << 20);
    }

    private static void forgetPeak() {
        System.gc();
        old().forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    private static Stream<MemoryPoolMXBean> old() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().contains("Old Gen"));
    }

    private static long memory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
