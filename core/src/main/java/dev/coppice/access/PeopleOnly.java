package dev.coppice.access;

import dev.coppice.kernel.SessionId;

/**
 * What people have set on sessions, and agents may therefore not lift. A rule, such as the policy
 * of a budget, sets nothing here. All methods join the current transaction.
 */
public interface PeopleOnly {
    /** The kinds of settings. */
    enum What {
        FREEZE,
        BUDGET
    }

    void add(SessionId session, What what);

    void forget(SessionId session, What what);

    /** Forgets it for the session and all below it. */
    void forgetBelow(SessionId session, What what);

    /** True if it was set on this session. */
    boolean isOn(SessionId session, What what);

    /**
     * True if it was set on this session, or on one above or below it. The freeze of a spent budget
     * that a person set counts as one.
     */
    boolean isAround(SessionId session, What what);
}
