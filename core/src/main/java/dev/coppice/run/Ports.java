package dev.coppice.run;

import dev.coppice.journal.Journal;
import dev.coppice.kernel.Signals;
import dev.coppice.kernel.Transactions;
import dev.coppice.outside.OutsideProcesses;
import dev.coppice.session.Sessions;
import dev.coppice.session.TreeQuota;

import java.time.InstantSource;

/** The ports that every command on runs needs. */
public record Ports(
        Transactions transactions,
        Sessions sessions,
        Runs runs,
        HookedRuns hookedRuns,
        OutsideProcesses outside,
        Journal journal,
        Signals signals,
        LifecycleListener listener,
        BudgetCheck budgetCheck,
        TreeQuota room,
        InstantSource clock) {}
