package dev.coppice.budget;

import dev.coppice.kernel.SessionId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What was spent and what may be. All of it acts within the transaction under way. */
public interface Book {
    Optional<Budget> budgetOf(SessionId session);

    /** Of the session itself and of all above it, the nearest first. */
    List<Budget> budgetsAbove(SessionId session);

    /** Budgets of time that are not yet told to be spent: time runs without anybody's report. */
    List<Budget> runningOut(int max);

    void save(Budget budget);

    void remove(SessionId session);

    /** Spent by this session, and with it by all above. */
    void add(SessionId session, Amounts spent);

    /** What the session itself has spent. */
    Amounts own(SessionId session, Instant now);

    /** What the session and all below it have spent; what runs counts until now. */
    Amounts total(SessionId session, Instant now);
}
