package dev.coppice.budget;

import dev.coppice.budget.Amounts.Kind;
import dev.coppice.kernel.SessionId;

import java.util.EnumMap;
import java.util.Map;

/** What a session and all below it may spend together, and what of its use was told of already. */
public record Budget(SessionId session, Amounts max, Policy policy, Map<Kind, Warned> told) {
    public Budget {
        told = Map.copyOf(told);
    }

    /** What happens when all of it is spent; new work is refused in any case. */
    public enum Policy {
        REFUSE,
        FREEZE,
        STOP
    }

    /** How far the use of one kind has been told of, so that it is told once. */
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

    /** What is spent may be told of once more. */
    Budget lessWarned() {
        var changed = new EnumMap<Kind, Warned>(Kind.class);
        told.forEach((kind, w) -> changed.put(kind, w == Warned.SPENT ? Warned.NEARLY : w));
        return new Budget(session, max, policy, changed);
    }
}
