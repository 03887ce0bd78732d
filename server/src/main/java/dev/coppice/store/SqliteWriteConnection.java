package dev.coppice.store;

import java.sql.Connection;
import java.sql.SQLException;

/** The file has one writer: the process that has locked the data directory. */
final class SqliteWriteConnection implements WriteConnection {
    private final Connection connection;
    private final Prepared prepared;

    SqliteWriteConnection(Connection connection) {
        this.connection = connection;
        this.prepared = new Prepared(connection);
    }

    @Override
    public Prepared prepared() {
        return prepared;
    }

    @Override
    public void begin() throws SQLException {
        prepared.execute("begin immediate");
    }

    @Override
    public void commit() throws SQLException {
        prepared.execute("commit");
    }

    @Override
    public void mark() throws SQLException {
        prepared.execute("savepoint caller");
    }

    @Override
    public void moveMark() throws SQLException {
        prepared.execute("release caller");
        mark();
    }

    @Override
    public void backToMark() throws SQLException {
        prepared.execute("rollback to caller");
    }

    @Override
    public void undo() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("rollback");
        }
    }

    /** Writes the database's header as it is: a commit that needs room on the disk. */
    @Override
    public void touch() throws SQLException {
        try (var statement = connection.createStatement()) {
            int version;
            try (var row = statement.executeQuery("pragma user_version")) {
                version = row.getInt(1);
            }
            statement.execute("pragma user_version = " + version);
        }
    }

    @Override
    public void close() {
        Databases.closeQuietly(connection);
    }
}
