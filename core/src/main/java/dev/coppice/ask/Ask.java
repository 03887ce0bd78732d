package dev.coppice.ask;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The question whether a program may use a tool. The program waits for the answer until a time.
 *
 * @param event the number of the event that asks
 * @param otherwise what the program is told if nobody answers
 * @param settled null while it is open
 */
public record Ask(
        String id,
        SessionId session,
        String sessionName,
        long event,
        ToolUse use,
        Instant asked,
        Instant until,
        Otherwise otherwise,
        @Nullable Settled settled) {
    /** The answer to a program if nobody decides in time. */
    public enum Otherwise {
        /** Nothing: it asks in its own way. */
        NOTHING,
        DENY
    }

    /** The ends of a question. */
    public enum End {
        ALLOWED,
        DENIED,
        /** The time of the question ran out. */
        UNANSWERED,
        /** The program did not wait any longer. */
        WITHDRAWN
    }

    /** The end, who brought it about, and the standing answer that did. */
    public record Settled(
            End end, String by, @Nullable String reason, @Nullable String standing, Instant at) {}

    public boolean isOpen() {
        return settled == null;
    }

    Ask with(Settled end) {
        return new Ask(id, session, sessionName, event, use, asked, until, otherwise, end);
    }
}
