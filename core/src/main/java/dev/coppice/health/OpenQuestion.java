package dev.coppice.health;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A question to a person that is open: the last event of a live session, or one with whose answer a
 * program waits.
 *
 * @param event the number of the event
 * @param reach how an answer reaches the agent
 * @param ask the question's own id, if its program waits
 */
public record OpenQuestion(
        SessionId session,
        long event,
        String type,
        Instant at,
        Reach reach,
        @Nullable String ask,
        JsonText body) {
    /** The ways of an answer. */
    public enum Reach {
        /** An answer to the question, with which its program waits. */
        HELD,
        /** A message to the session. */
        MESSAGE,
        /** An answer to the event, which its program sent to the hook server. */
        RESPONSE,
        /** None: nobody listens but the program itself. */
        ELSEWHERE
    }
}
