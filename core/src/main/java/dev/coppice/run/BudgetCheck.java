package dev.coppice.run;

import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionId;

import java.util.Optional;

/** Checks budgets, within the transaction that would spend them. */
public interface BudgetCheck {
    /** Returns why no new work may start at this session, if none may. */
    Optional<Refusal> forbids(Ports ports, SessionId at, NewWork wanted);

    /**
     * Returns the nearest session, at or above this one, whose budget is spent: queued runs within
     * it must keep waiting.
     */
    Optional<SessionId> spentAbove(Ports ports, SessionId session);

    /** The kind of work that would start. */
    enum NewWork {
        SESSION,
        RUN,
        /** A subagent of a program, which is a session without runs. */
        SUBAGENT,
        /** The use of a tool by a program. */
        TOOL_USE
    }
}
