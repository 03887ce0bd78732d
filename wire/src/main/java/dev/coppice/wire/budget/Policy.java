package dev.coppice.wire.budget;

/** The policy once a budget is spent. Every policy refuses new work. */
public enum Policy {
    REFUSE,
    FREEZE,
    STOP
}
