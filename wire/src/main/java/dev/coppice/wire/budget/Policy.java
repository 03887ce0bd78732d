package dev.coppice.wire.budget;

/** What happens once a budget is spent; new work is refused in any case. */
public enum Policy {
    REFUSE,
    FREEZE,
    STOP
}
