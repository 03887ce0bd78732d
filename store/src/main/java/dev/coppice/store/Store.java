package dev.coppice.store;

import dev.coppice.audit.Audit;
import dev.coppice.budget.Budgets;
import dev.coppice.callback.Callbacks;
import dev.coppice.callback.Joins;
import dev.coppice.fleet.AccountHolds;
import dev.coppice.fleet.Runners;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Receipts;
import dev.coppice.kernel.Signals;
import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Inventory;
import dev.coppice.removal.Removals;
import dev.coppice.removal.TreeRows;
import dev.coppice.run.Runs;
import dev.coppice.session.Sessions;
import dev.coppice.stop.TreeStops;
import dev.coppice.store.engine.Database;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.removal.SqlInventory;
import dev.coppice.store.removal.SqlRemovals;
import dev.coppice.store.removal.SqlTreeRows;
import dev.coppice.store.run.SqlAccountHolds;
import dev.coppice.store.run.SqlRunners;
import dev.coppice.store.run.SqlRuns;
import dev.coppice.store.schema.Tables;
import dev.coppice.store.session.SqlSessions;
import dev.coppice.store.work.SqlDirectoryTasks;
import dev.coppice.store.work.SqlWorkplaces;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.Workplaces;

/** All stored state, behind the ports of the core. */
public record Store(
        Transactions transactions,
        Sessions sessions,
        Runs runs,
        Runners runners,
        Callbacks callbacks,
        Joins joins,
        TreeStops treeStops,
        Removals removals,
        Audit audit,
        TreeRows treeRows,
        Inventory inventory,
        Workplaces workplaces,
        DirectoryTasks tasks,
        Budgets budgets,
        AccountHolds accountHolds,
        Journal journal,
        Receipts receipts,
        Signals signals) {

    public static Store on(Database database) {
        var dialect = database.dialect();
        return new Store(
                database,
                new SqlSessions(dialect),
                new SqlRuns(),
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
