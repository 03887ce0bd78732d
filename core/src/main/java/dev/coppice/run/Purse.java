package dev.coppice.run;

import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionId;

import java.util.Optional;

/** Whether there is something left to spend. Asked within the transaction that would spend it. */
public interface Purse {
    /** Why nothing new may be begun there, if it may not. */
    Optional<Refusal> forbids(Desk desk, SessionId at, New wanted);

    /** Whether what already waits in the queue must go on waiting. */
    boolean isSpent(Desk desk, SessionId session);

    /** What would be begun. */
    enum New {
        SESSION,
        RUN
    }
}
