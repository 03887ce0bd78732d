package dev.coppice.store.engine;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/**
 * Begins every transaction by taking one advisory lock for the whole database, which the commit
 * releases. Any number of coordinators therefore write one after the other and cannot deadlock on
 * rows (docs/decisions/0023).
 *
 * <p>If a coordinator stalls while it holds the lock, the server closes its connection, well before
 * the others give up waiting and long before leases expire.
 */
final class PostgresWriteConnection implements WriteConnection, AutoCloseable {
    /** The application name that the server shows for this connection. */
    static final String NAME = "coppice-writer";

    private static final long WRITER_LOCK = Postgres.LOCKS;
    static final List<String> LIMITS =
            List.of(
                    "set idle_in_transaction_session_timeout = '10s'",
                    "set lock_timeout = '15s'",
                    "set statement_timeout = '60s'");

    /** Socket timeout, for a server that vanished or hangs. */
    private static final String SILENCE_SECONDS_MAX = "75";

    private static final String TAKE_LOCK = "select pg_advisory_xact_lock(" + WRITER_LOCK + ")";

    /** Every migrated database has this row, and nothing reads the write. */
    private static final String TOUCH = "update journal_floor set number = number";

    private final String url;
    private final List<String> limits;
    private @Nullable Connection connection;
    private Prepared prepared;

    PostgresWriteConnection(String url, List<String> limits) throws SQLException {
        this.url = url;
        this.limits = limits;
        this.prepared = open();
    }

    @Override
    public Prepared prepared() {
        return prepared;
    }

    @Override
    public void begin() throws SQLException {
        if (connection == null) prepared = open();
        try {
            prepared.execute(TAKE_LOCK);
        } catch (SQLException e) {
            // The server may have restarted since the last write. Nothing was written yet, so
            // reconnect.
            if (connection != null && !connection.isClosed()) throw e;
            prepared = open();
            prepared.execute(TAKE_LOCK);
        }
    }

    @Override
    public void commit() throws SQLException {
        if (connection != null) connection.commit();
    }

    /** Overridden to send both in one round trip. */
    @Override
    public void moveMark() throws SQLException {
        prepared.execute("release caller; savepoint caller");
    }

    @Override
    public void undo() throws SQLException {
        if (connection == null) return;
        try {
            connection.rollback();
        } catch (SQLException e) {
            // The connection is lost, and its transaction with it.
            close();
            throw e;
        }
    }

    @Override
    public void touch() throws SQLException {
        prepared.execute(TOUCH);
    }

    @Override
    public void close() {
        if (connection == null) return;
        WriteConnection.closeQuietly(connection);
        connection = null;
    }

    private Prepared open() throws SQLException {
        close();
        var properties = new Properties();
        properties.setProperty("socketTimeout", SILENCE_SECONDS_MAX);
        properties.setProperty("tcpKeepAlive", "true");
        var opened = DriverManager.getConnection(url, properties);
        try {
            opened.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            try (var statement = opened.createStatement()) {
                statement.execute("set application_name = '" + NAME + "'");
                for (var limit : limits) statement.execute(limit);
            }
            opened.setAutoCommit(false);
        } catch (SQLException e) {
            // Never use a connection without its limits.
            WriteConnection.closeQuietly(opened);
            throw e;
        }
        connection = opened;
        return new Prepared(opened);
    }
}
