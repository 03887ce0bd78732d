package dev.coppice.budget;

import dev.coppice.kernel.SessionId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Budgets and recorded spending. Every method joins the current transaction. */
public interface Budgets {
    /**
     * The most tokens and millionths of a dollar that are counted for a tree, and the most in a
     * budget. Agents may report any number, and the sum of many trees must fit into a long.
     */
    long COUNTED_MAX = 1_000_000_000_000_000L;

    Optional<Budget> budgetOf(SessionId session);

    /** Budgets of the session and of its ancestors, nearest first. */
    List<Budget> budgetsAbove(SessionId session);

    /** Unspent time budgets of trees with a started run: time grows without any report. */
    List<Budget> runningOut(int max);

    void save(Budget budget);

    void remove(SessionId session);

    /** Adds to what the session and each of its ancestors have spent, up to COUNTED_MAX. */
    void add(SessionId session, Amounts spent);

    /** Returns what the session alone has spent; a live run counts until now. */
    Amounts own(SessionId session, Instant now);

    /**
     * Returns what the budget's session and its descendants have spent, of the kinds that the
     * budget limits; live runs count until now.
     */
    Amounts used(Budget budget, Instant now);

    /** Returns what the session and its descendants have spent; live runs count until now. */
    Amounts total(SessionId session, Instant now);
}
