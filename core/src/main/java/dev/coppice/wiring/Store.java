package dev.coppice.wiring;

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
import dev.coppice.outside.OutsideProcesses;
import dev.coppice.removal.Inventory;
import dev.coppice.removal.Removals;
import dev.coppice.removal.TreeRows;
import dev.coppice.run.HookedRuns;
import dev.coppice.run.Runs;
import dev.coppice.session.Sessions;
import dev.coppice.stop.TreeStops;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.Workplaces;

/** All stored state, behind the ports of the core. */
public record Store(
        Transactions transactions,
        Sessions sessions,
        Runs runs,
        HookedRuns hookedRuns,
        OutsideProcesses outside,
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
        Signals signals) {}
