package dev.coppice.budget;

import dev.coppice.budget.Amounts.Kind;
import dev.coppice.kernel.SessionId;
import dev.coppice.word.BudgetPolicy;

import java.util.EnumMap;
import java.util.Map;

/**
 * The amounts that a session and its descendants may spend together. {@code told} holds the level
 * of use that was last reported for each kind, so that each level is reported once.
 */
public record Budget(SessionId session, Amounts max, BudgetPolicy policy, Map<Kind, Warned> told) {
    public Budget {
        told = Map.copyOf(told);
    }

    /** The highest reported level of use of one kind. */
    public enum Warned {
        NO,
        NEARLY,
        SPENT
    }

    public Warned warned(Kind kind) {
        return told.getOrDefault(kind, Warned.NO);
    }

    public boolean isSpent() {
        return told.containsValue(Warned.SPENT);
    }

    Budget warned(Kind kind, Warned now) {
        var changed = new EnumMap<Kind, Warned>(Kind.class);
        changed.putAll(told);
        changed.put(kind, now);
        return new Budget(session, max, policy, changed);
    }

    /** Returns a copy that reports its spent kinds as spent once more. */
    Budget lessWarned() {
        var changed = new EnumMap<Kind, Warned>(Kind.class);
        told.forEach((kind, w) -> changed.put(kind, w == Warned.SPENT ? Warned.NEARLY : w));
        return new Budget(session, max, policy, changed);
    }
}
