package dev.coppice.removal;

import dev.coppice.kernel.SessionId;

import java.util.List;

/** What must not be broken off in a tree. Acts within the transaction under way. */
public interface CriticalOperations {
    /** Of the session and all below it, or of itself alone where those below stay. */
    List<RemovalPlan.Critical> of(SessionId top, Choices.Children children, int max);
}
