package dev.coppice.store.engine;

import dev.coppice.kernel.Topic;
import dev.coppice.thread.Loops;
import dev.coppice.thread.Threads;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One file, one writer thread and a few reader threads. They are platform threads: a heavy query is
 * native code and would pin every carrier thread of the process (measured: 1.5 s for four queries).
 */
public final class SqliteDatabase extends SingleWriterDatabase {
    private static final int READERS = 4;
    private static final int READERS_OF_A_CALLER_MAX = READERS - 1;
    private static final int CLOSE_SECONDS_MAX = 10;

    private final Path file;
    private final SqlDialect dialect = new Sqlite();
    private final SqliteCheckpoints checkpoints;
    private final Writer writer;
    private final ExecutorService readers;
    private final ReadTurns turns = new ReadTurns(READERS_OF_A_CALLER_MAX);
    private final ThreadLocal<Prepared> reading;
    private final List<Connection> connections = new ArrayList<>();

    public SqliteDatabase(Path file, Consumer<Topic> onCommit, Loops loops) {
        this.file = file;
        var writing = open(file, false);
        this.checkpoints = new SqliteCheckpoints(new Prepared(open(file, false)), loops);
        this.writer =
                new Writer(
                        new SqliteWriteConnection(file, writing),
                        checkpoints::committed,
                        onCommit,
                        loops);
        this.reading = ThreadLocal.withInitial(() -> new Prepared(open(file, true)));
        var reader = Threads.daemon("sqlite-reader").name("sqlite-reader-", 0);
        this.readers = Executors.newFixedThreadPool(READERS, reader.factory());
    }

    @Override
    public SqlDialect dialect() {
        return dialect;
    }

    @Override
    Writer writer() {
        return writer;
    }

    /** Checks on a separate connection, which is interrupted at the end of the budget. */
    @Override
    public List<String> damage(Duration budget) {
        return DamageCheck.sqlite(file, budget);
    }

    @Override
    public <T extends @Nullable Object> T read(Supplier<T> work) {
        return Tx.isUnderWay() ? work.get() : turns.take(() -> readOnThread(work));
    }

    private <T extends @Nullable Object> T readOnThread(Supplier<T> work) {
        var answer = CompletableFuture.supplyAsync(() -> readNow(work), readers);
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) throw cause;
            throw e;
        }
    }

    /** Reads in a transaction, so that one read sees one snapshot. */
    private <T extends @Nullable Object> T readNow(Supplier<T> work) {
        var prepared = reading.get();
        try {
            prepared.execute("begin");
            try {
                return new Tx(prepared).run(work);
            } finally {
                prepared.execute("commit");
            }
        } catch (SQLException e) {
            throw new StoreFailed("reading", e);
        }
    }

    @Override
    public void close() {
        writer.close();
        checkpoints.close();
        readers.shutdown();
        try {
            if (!readers.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                readers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (connections) {
            for (var connection : connections) WriteConnection.closeQuietly(connection);
        }
    }

    private Connection open(Path file, boolean forReading) {
        try {
            var connection = DriverManager.getConnection("jdbc:sqlite:" + file, options());
            try (var statement = connection.createStatement()) {
                statement.execute("pragma busy_timeout = 10000");
                statement.execute("pragma journal_mode = wal");
                statement.execute("pragma synchronous = full");
                statement.execute("pragma foreign_keys = on");
                statement.execute("pragma cache_size = -32000");
                statement.execute("pragma temp_store = memory");
                statement.execute("pragma wal_autocheckpoint = " + SqliteCheckpoints.LOG_PAGES);
                // Purged data must not stay readable in the file.
                statement.execute("pragma secure_delete = on");
                if (forReading) statement.execute("pragma query_only = on");
            }
            synchronized (connections) {
                connections.add(connection);
            }
            return connection;
        } catch (SQLException e) {
            throw new StoreFailed("opening the database " + file, e);
        }
    }

    /** Turns generated keys off: the driver would run a query for them after every insert. */
    private static Properties options() {
        var options = new Properties();
        options.setProperty("jdbc.get_generated_keys", "false");
        return options;
    }
}
