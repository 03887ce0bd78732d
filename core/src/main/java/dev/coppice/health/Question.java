package dev.coppice.health;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;

import java.time.Instant;

/**
 * A question to a person that is open: the last event of a live session.
 *
 * @param event the number of the event
 * @param reach how an answer reaches the agent
 */
public record Question(
        SessionId session, long event, String type, Instant at, Reach reach, JsonText body) {
    /** The ways of an answer. */
    public enum Reach {
        /** A message to the session. */
        MESSAGE,
        /** An answer to the event, which its program sent to the hook server. */
        RESPONSE,
        /** None: nobody listens but the program itself. */
        ELSEWHERE
    }
}
