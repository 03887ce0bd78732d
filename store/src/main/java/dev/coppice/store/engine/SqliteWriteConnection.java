package dev.coppice.store.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** The only writer of the file: its process has locked the data directory. */
final class SqliteWriteConnection implements WriteConnection {
    /** With less free space than this, small writes succeed and larger ones fail. */
    private static final long ROOM_BYTES_MIN = 1 << 20;

    private final Path file;
    private final Connection connection;
    private final Prepared prepared;

    SqliteWriteConnection(Path file, Connection connection) {
        this.file = file;
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
    public void undo() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("rollback");
        }
    }

    /** Rewrites the unchanged database header: a commit that needs space on the disk. */
    @Override
    public void touch() throws SQLException {
        if (room() < ROOM_BYTES_MIN) throw new SQLException("the disk is full");
        try (var statement = connection.createStatement()) {
            int version;
            try (var row = statement.executeQuery("pragma user_version")) {
                version = row.getInt(1);
            }
            statement.execute("pragma user_version = " + version);
        }
    }

    private long room() throws SQLException {
        try {
            return Files.getFileStore(file).getUsableSpace();
        } catch (IOException e) {
            throw new SQLException("reading the free space of the disk", e);
        }
    }
}
