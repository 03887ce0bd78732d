package dev.coppice.runner.drive.dialect;

import java.math.BigDecimal;
import java.util.Map;

/**
 * Reports of a driver to the coordinator. No method waits for an answer: an agent must not wait for
 * a coordinator that is away. An agent is named by the program's own id of it; the session's own
 * agent is {@link #SELF}.
 */
public interface Upstream {
    String SELF = "";

    /** Reports an event of an agent. */
    void event(String agent, String type, Map<String, ?> fields);

    /** Reports a question that a person answers. */
    default void question(String agent, String id, Map<String, ?> fields) {
        event(agent, "permission_request", fields);
    }

    /** Reports the program's own id of the conversation, with which it is resumed. */
    void programSession(String id);

    /** Reports what an agent has spent since the last report. */
    void spent(String agent, Spent spent);

    /** Reports that an agent began another one, which becomes a session below the agent's. */
    void began(String agent, Subagent subagent);

    /** Reports that a subagent ended. */
    void ended(String agent, Ending ending, String said);

    /** Reports the result so far, which stays if the run does not finish. */
    void result(String text);

    record Spent(long inputTokens, long outputTokens, BigDecimal dollars) {
        boolean isNothing() {
            return inputTokens <= 0 && outputTokens <= 0 && dollars.signum() <= 0;
        }
    }

    /** An agent that another one began inside of its own program. */
    record Subagent(String id, String type, String description) {}

    /** The ways in which a subagent ends. */
    enum Ending {
        FINISHED,
        FAILED,
        STOPPED
    }
}
