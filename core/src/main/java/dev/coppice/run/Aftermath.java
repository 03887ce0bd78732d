package dev.coppice.run;

import dev.coppice.session.Session;

/**
 * What follows when work ends, within the transaction in which it ends: what is owed to a parent,
 * and what becomes of children.
 */
public interface Aftermath {
    /** The run has ended, and its session has gone along. */
    void runEnded(Desk desk, Run run);

    /** Somebody wants the session to stop, whatever it is doing now. */
    void stopAsked(Desk desk, Session session);

    /** Nothing of the session runs any more. */
    void sessionEnded(Desk desk, Session session);
}
