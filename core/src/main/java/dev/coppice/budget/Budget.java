package dev.coppice.budget;

import dev.coppice.kernel.SessionId;

/** What a session and all below it may spend together. */
public record Budget(SessionId session, Amounts max, Policy policy, Warned warned) {

    /** What happens when all of it is spent; new work is refused in any case. */
    public enum Policy {
        REFUSE,
        FREEZE,
        STOP
    }

    /** How far its use has been told of already, so that it is told once. */
    public enum Warned {
        NO,
        NEARLY,
        SPENT
    }

    Budget warned(Warned now) {
        return new Budget(session, max, policy, now);
    }
}
