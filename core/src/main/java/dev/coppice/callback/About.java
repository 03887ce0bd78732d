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

    /** A message to the session, from another session or from outside. */
    record Message(
            String text, @Nullable SessionId from, WhenBusy whenBusy, @Nullable Notice notice)
            implements About {
        public Message(String text, @Nullable SessionId from, WhenBusy whenBusy) {
            this(text, from, whenBusy, null);
        }
    }

    /** What a message of the coordinator itself announces, and about which session. */
    record Notice(Kind kind, SessionId about) {
        public enum Kind {
            CHILD_REMOVED,
            CHILD_RESTORED,
            PARENT_ENDED
        }
    }

    /** What happens to a message to a busy session. */
    enum WhenBusy {
        REJECT,
        QUEUE,
        INTERRUPT
    }
}
