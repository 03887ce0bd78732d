package dev.coppice.store.removal;

import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import java.util.Optional;

/** Stores the id of the directory in which the files of this database are. */
public final class SqlBackupDirectory {
    private static final Sql ID = Sql.of("select id from backup_directory");
    private static final Sql SET = Sql.of("insert into backup_directory (one, id) values (1, :id)");

    private SqlBackupDirectory() {}

    public static Optional<String> id() {
        return Tx.call(ID).first(row -> row.text("id"));
    }

    /** Fails if the database has an id. */
    public static void set(String id) {
        Tx.call(SET).set("id", id).update();
    }
}
