package dev.coppice.removal;

import dev.coppice.kernel.SessionId;
import dev.coppice.word.Choice;

import java.util.List;

/** Operations in a tree that must not be interrupted. Joins the current transaction. */
public interface CriticalOperations {
    /** Operations of the session and its descendants; of the session alone if its children stay. */
    List<RemovalPlan.Critical> of(SessionId top, Choice.Children children, int max);
}
