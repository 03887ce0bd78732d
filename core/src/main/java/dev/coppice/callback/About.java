package dev.coppice.callback;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/** What a session is woken for. */
public sealed interface About {
    /** A run of a child has ended. What it brought is read from the run when it is delivered. */
    record ChildEnd(SessionId child, RunId run) implements About {}

    /** What a join waited for has come, or its time is up. */
    record JoinOver(JoinId join) implements About {}

    /** Someone said something to the session. */
    record Message(String text, @Nullable SessionId from, WhenBusy whenBusy) implements About {}

    /** What becomes of a message to a session that is at work. */
    enum WhenBusy {
        REJECT,
        QUEUE,
        INTERRUPT
    }
}
