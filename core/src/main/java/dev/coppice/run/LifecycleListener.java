package dev.coppice.run;

import dev.coppice.session.Session;

import java.time.Duration;

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
