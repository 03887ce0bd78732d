package dev.coppice.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.coppice.kernel.Topic;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Many writers on one server. The driver does not hold up virtual threads, so callers call it. */
public final class PostgresDatabase implements Database {
    private static final int CONNECTIONS_MAX = 16;
    private static final int TRIES_MAX = 5;

    private final Dialect dialect = new Postgres();
    private final HikariDataSource pool;
    private final Consumer<Topic> onCommit;
    private final AtomicLong failures = new AtomicLong();

    public PostgresDatabase(String url, Consumer<Topic> onCommit) {
        this.onCommit = onCommit;
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS_MAX);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setPoolName("coppice");
        config.addDataSourceProperty("prepareThreshold", "3");
        this.pool = new HikariDataSource(config);
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public <T extends @Nullable Object> T write(Supplier<T> work) {
        if (Tx.isUnderWay()) return work.get();
        for (int tries = 1; ; tries++) {
            try {
                return once(work, false);
            } catch (StoreFailed e) {
                if (tries == TRIES_MAX || !dialect.isWorthRetrying(e)) throw e;
            }
        }
    }

    @Override
    public <T extends @Nullable Object> T read(Supplier<T> work) {
        return Tx.isUnderWay() ? work.get() : once(work, true);
    }

    @Override
    public long failedWrites() {
        return failures.get();
    }

    /** Whoever asks the database hears what is wrong with it. */
    @Override
    public Optional<String> condition() {
        return Optional.empty();
    }

    @Override
    public List<String> damage(Duration budget) {
        try (var connection = pool.getConnection()) {
            connection.setReadOnly(true);
            try {
                return DamageCheck.postgres(connection, budget);
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            return List.of("it could not be checked: " + e.getMessage());
        }
    }

    private <T extends @Nullable Object> T once(Supplier<T> work, boolean reading) {
        try (var connection = pool.getConnection()) {
            connection.setReadOnly(reading);
            var purpose = reading ? Tx.Purpose.READING : Tx.Purpose.WRITING;
            var tx = new Tx(new Prepared(connection), purpose);
            T value;
            try {
                value = tx.run(work);
                connection.commit();
            } catch (RuntimeException | SQLException e) {
                rollBack(connection, e);
                throw e;
            }
            tx.topics().forEach(onCommit);
            return value;
        } catch (SQLException e) {
            if (!reading) failures.incrementAndGet();
            throw new StoreFailed(reading ? "reading" : "writing", e);
        }
    }

    private static void rollBack(Connection connection, Exception why) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
