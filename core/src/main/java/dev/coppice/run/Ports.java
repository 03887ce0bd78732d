package dev.coppice.run;

import dev.coppice.journal.Journal;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Signals;
import dev.coppice.kernel.Transactions;
import dev.coppice.outside.OutsideProcesses;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.session.TreeQuota;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The ports that every command on runs needs. The listener and the budget check get all of them.
 */
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
        InstantSource clock) {
    /**
     * The consequences of the end of work, in the same transaction: callbacks owed to a parent, the
     * policies of children, budgets, accounts and stops of trees.
     */
    public interface LifecycleListener {
        /** The run has ended, and its session has changed state accordingly. */
        void runEnded(Ports ports, Run run);

        /** A stop of the session was requested, whatever its state. */
        void stopAsked(Ports ports, Session session);

        /** The session was frozen for {@code lost}, a time that no limit counts. */
        default void sessionThawed(Ports ports, Session session, Duration lost) {}

        /** The session has ended. */
        void sessionEnded(Ports ports, Session session);
    }

    /** Checks budgets, within the transaction that would spend them. */
    public interface BudgetCheck {
        /** Returns why no new work may start at this session, if none may. */
        Optional<Refusal> forbids(Ports ports, SessionId at, NewWork wanted);

        /**
         * Returns the nearest session, at or above this one, whose budget is spent: queued runs
         * within it must keep waiting.
         */
        Optional<SessionId> spentAbove(Ports ports, SessionId session);

        /** The kind of work that would start. */
        enum NewWork {
            SESSION,
            RUN,
            /** A subagent of a program, which is a session without runs. */
            SUBAGENT,
            /** The use of a tool by a program. */
            TOOL_USE
        }
    }
}
