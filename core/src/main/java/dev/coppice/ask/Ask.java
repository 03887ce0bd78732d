package dev.coppice.ask;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The question whether a program may use a tool. The program waits for the answer until a time.
 *
 * @param event the number of the event that asks
 * @param otherwise the answer to the program if no decision comes in time
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
    /** The answer to a program if no decision comes in time. */
    public enum Otherwise {
        /** None: the program asks in its own way. */
        NOTHING,
        DENY
    }

    public enum End {
        ALLOWED,
        DENIED,
        /** The time of the question ran out. */
        UNANSWERED,
        /** The program did not wait any longer. */
        WITHDRAWN
    }

    /** The end, the name of the person that decided, and the standing answer if one decided. */
    public record Settled(
            End end, String by, @Nullable String reason, @Nullable String standing, Instant at) {}

    public boolean isOpen() {
        return settled == null;
    }

    Ask with(Settled end) {
        return new Ask(id, session, sessionName, event, use, asked, until, otherwise, end);
    }
}
