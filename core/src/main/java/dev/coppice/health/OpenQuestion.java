package dev.coppice.health;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Set;

/**
 * An open question to a person: the last event of a live session, or an event for whose answer a
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
    /** The types of events by which programs ask a person. */
    public static final Set<String> TYPES =
            Set.of(
                    "question",
                    "PermissionRequest",
                    "Elicitation",
                    "Notification",
                    "permission_request");

    /** The ways by which an answer reaches the agent. */
    public enum Reach {
        /** An answer to the question, for which its program waits. */
        HELD,
        /** A message to the session. */
        MESSAGE,
        /** An answer to the event, which its program sent to the hook server. */
        RESPONSE,
        /** None: only the program itself takes an answer. */
        ELSEWHERE
    }
}
