package dev.coppice.callback;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.word.WhenBusy;

import org.jspecify.annotations.Nullable;

/** The reason to wake a session. */
public sealed interface About {
    /** A run of a child ended. Its result is read from the run at delivery. */
    record ChildEnd(SessionId child, RunId run) implements About {}

    /** A join ended: it was met, can no longer be met, or timed out. */
    record JoinOver(JoinId join) implements About {}

    /** A message to the session, from another session or from outside. */
    record Message(
            String text, @Nullable SessionId from, WhenBusy whenBusy, @Nullable Notice notice)
            implements About {
        public Message(String text, @Nullable SessionId from, WhenBusy whenBusy) {
            this(text, from, whenBusy, null);
        }
    }

    /** The kind of a message from the coordinator itself, and the session it is about. */
    record Notice(Kind kind, SessionId about) {
        public enum Kind {
            CHILD_REMOVED,
            CHILD_RESTORED,
            PARENT_ENDED
        }
    }
}
