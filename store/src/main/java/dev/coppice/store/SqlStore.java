package dev.coppice.store;

import dev.coppice.store.engine.Database;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.removal.SqlInventory;
import dev.coppice.store.removal.SqlRemovals;
import dev.coppice.store.removal.SqlTreeRows;
import dev.coppice.store.run.SqlAccountHolds;
import dev.coppice.store.run.SqlHookedRuns;
import dev.coppice.store.run.SqlOutsideProcesses;
import dev.coppice.store.run.SqlRunners;
import dev.coppice.store.run.SqlRuns;
import dev.coppice.store.schema.Tables;
import dev.coppice.store.session.SqlSessions;
import dev.coppice.store.work.SqlDirectoryTasks;
import dev.coppice.store.work.SqlWorkplaces;
import dev.coppice.wiring.Store;

/** The store on a database. */
public final class SqlStore {
    private SqlStore() {}

    public static Store on(Database database) {
        var dialect = database.dialect();
        return new Store(
                database,
                new SqlSessions(dialect),
                new SqlRuns(),
                new SqlHookedRuns(),
                new SqlOutsideProcesses(),
                new SqlRunners(),
                new SqlCallbacks(),
                new SqlJoins(),
                new SqlTreeStops(),
                new SqlRemovals(),
                new SqlAudit(),
                new SqlTreeRows(dialect, Tables.current()),
                new SqlInventory(),
                new SqlWorkplaces(),
                new SqlDirectoryTasks(),
                new SqlBudgets(),
                new SqlAccountHolds(),
                new SqlJournal(),
                new SqlReceipts(),
                topic -> Tx.current().raise(topic));
    }
}
