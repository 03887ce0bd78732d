package dev.coppice.mcp.call;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** Gets answers from a client, in the way of its era or of its task. */
public interface Asking {
    /** The answer to each question, by its key. */
    Map<String, JsonNode> answers(Map<String, Question> questions)
            throws BrokenCall, Unanswered, Cancelled;

    /** Ends the wait for answers. */
    default void cancel() {}
}
