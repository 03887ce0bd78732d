package dev.coppice.store.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.coppice.kernel.Topic;
import dev.coppice.thread.Loops;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One writer and many readers. The driver does not pin virtual threads, so callers read on their
 * own thread.
 */
public final class PostgresDatabase extends SingleWriterDatabase {
    private static final int READERS_MAX = 16;
    private static final int READERS_OF_A_CALLER_MAX = READERS_MAX - 4;

    /** Allows for the longest reads: reports on a whole tree and full checks. */
    private static final String READ_MAX = "set statement_timeout = '5min'";

    private static final int SILENCE_SECONDS_MAX = 330;

    private final SqlDialect dialect = new Postgres();
    private final HikariDataSource readers;
    private final ReadTurns turns = new ReadTurns(READERS_OF_A_CALLER_MAX);
    private final PostgresWriteConnection writing;
    private final Writer writer;

    public PostgresDatabase(String url, Consumer<Topic> onCommit, Loops loops) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(READERS_MAX);
        config.setAutoCommit(false);
        config.setReadOnly(true);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setPoolName("coppice");
        config.setConnectionInitSql(READ_MAX);
        config.addDataSourceProperty("ApplicationName", "coppice-reader");
        config.addDataSourceProperty("prepareThreshold", "3");
        config.addDataSourceProperty("socketTimeout", String.valueOf(SILENCE_SECONDS_MAX));
        config.addDataSourceProperty("tcpKeepAlive", "true");
        this.readers = new HikariDataSource(config);
        try {
            this.writing = new PostgresWriteConnection(url, PostgresWriteConnection.LIMITS);
        } catch (SQLException e) {
            readers.close();
            throw new StoreFailed("opening the database: " + e.getMessage(), e);
        }
        this.writer = new Writer(writing, () -> {}, onCommit, loops);
    }

    @Override
    public SqlDialect dialect() {
        return dialect;
    }

    @Override
    Writer writer() {
        return writer;
    }

    @Override
    public <T extends @Nullable Object> T read(Supplier<T> work) {
        return Tx.isUnderWay() ? work.get() : turns.take(() -> readNow(work));
    }

    private <T extends @Nullable Object> T readNow(Supplier<T> work) {
        try (var connection = readers.getConnection()) {
            try {
                return new Tx(new Prepared(connection)).run(work);
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new StoreFailed("reading", e);
        }
    }

    @Override
    public List<String> damage(Duration budget) {
        try (var connection = readers.getConnection()) {
            try {
                return DamageCheck.postgres(connection, budget);
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            return List.of("checking failed: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        writer.close();
        writing.close();
        readers.close();
    }
}
