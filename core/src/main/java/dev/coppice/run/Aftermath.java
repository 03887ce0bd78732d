package dev.coppice.run;

import dev.coppice.session.Session;

import java.time.Duration;

/**
 * What follows when work ends, within the transaction in which it ends: what is owed to a parent,
 * and what becomes of children.
 */
public interface Aftermath {
    /** The run has ended, and its session has gone along. */
    void runEnded(Desk desk, Run run);

    /** Somebody wants the session to stop, whatever it is doing now. */
    void stopAsked(Desk desk, Session session);

    /** The session was suspended for so long, which does not count. */
    default void sessionThawed(Desk desk, Session session, Duration lost) {}

    /** Nothing of the session runs any more. */
    void sessionEnded(Desk desk, Session session);
}
