package dev.coppice.store;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** Many writers: trees are locked by their root's row, the journal by one advisory lock. */
final class Postgres implements Dialect {
    private static final long JOURNAL_LOCK = 0x636f7070696365L;
    private static final long MIGRATION_LOCK = JOURNAL_LOCK + 1;
    private static final long AUDIT_LOCK = JOURNAL_LOCK + 2;

    /** Serialization, deadlock, and a unique key taken meanwhile: the next look will see it. */
    private static final Set<String> RETRIED = Set.of("40001", "40P01", "23505");

    private static final Sql NEXT_SESSION_KEY =
            Sql.of(
                    """
                    select nextval(pg_get_serial_sequence('any_session', 'key'))
                    """);
    private static final Sql LOCK_TREE =
            Sql.of(
                    """
                    select key from any_session where key = :tree for update
                    """);
    private static final Sql TAKE_LOCK =
            Sql.of(
                    """
                    select 1 from (select pg_advisory_xact_lock(:lock)) held
                    """);

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public Sql nextSessionKey() {
        return NEXT_SESSION_KEY;
    }

    /** Two who read the same row and write it back would lose what the first one wrote. */
    @Override
    public String heldUntilCommit(String table) {
        return " for update of " + table;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public void lockTree(long tree) {
        Tx.call(LOCK_TREE).set("tree", tree).list(row -> row.number(1));
    }

    /** An identity column alone would let a later number commit, and be seen, before an earlier. */
    @Override
    public void lockJournal() {
        Tx.call(TAKE_LOCK).set("lock", JOURNAL_LOCK).list(row -> row.number(1));
    }

    @Override
    public void lockAudit() {
        Tx.call(TAKE_LOCK).set("lock", AUDIT_LOCK).list(row -> row.number(1));
    }

    @Override
    public void holdMigrations(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("select pg_advisory_lock(?)")) {
            statement.setLong(1, MIGRATION_LOCK);
            statement.execute();
        }
    }

    @Override
    public boolean isWorthRetrying(Throwable failure) {
        for (@Nullable Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql
                    && RETRIED.contains(String.valueOf(sql.getSQLState()))) {
                return true;
            }
        }
        return false;
    }
}
