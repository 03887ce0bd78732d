package dev.coppice.word;

/** The reaction to a spent budget. New work is refused under every policy. */
public enum BudgetPolicy {
    REFUSE,
    FREEZE,
    STOP
}
