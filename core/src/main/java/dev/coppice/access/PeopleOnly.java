package dev.coppice.access;

import dev.coppice.kernel.SessionId;

/**
 * The settings of sessions that a person made and no agent may lift. A rule, such as the policy of
 * a budget, makes none. All methods join the current transaction.
 */
public interface PeopleOnly {
    enum What {
        FREEZE,
        BUDGET
    }

    void add(SessionId session, What what);

    void forget(SessionId session, What what);

    /** Forgets the setting for the session and all below it. */
    void forgetBelow(SessionId session, What what);

    /** True if a person has made the setting on this session. */
    boolean isOn(SessionId session, What what);

    /**
     * True if a person has made the setting on this session, or on one above or below it. The
     * freeze of a spent budget that a person set counts as a freeze by that person.
     */
    boolean isAround(SessionId session, What what);
}
