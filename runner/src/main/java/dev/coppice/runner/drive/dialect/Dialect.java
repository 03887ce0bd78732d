package dev.coppice.runner.drive.dialect;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/**
 * The protocol of one agent program. A dialect is called by one thread. It depends only on the
 * messages that it received, so recorded traffic can test it.
 */
public interface Dialect {
    /** The command line of the program. */
    List<String> command();

    /** Begins the work, once the program runs. */
    void begin();

    /** Handles one message of the program. */
    void heard(JsonNode message);

    /** Gives the agent a message within its turn; false if the program cannot take it now. */
    default boolean steer(Message message) {
        return false;
    }

    /** Answers the oldest question of the program; false if it has none. */
    default boolean answer(String text) {
        return false;
    }

    /** The question that a person is to answer next; null if there is none. */
    default @Nullable String question() {
        return null;
    }

    /** The messages that the program has read since the last call. */
    default List<String> read() {
        return List.of();
    }

    /** Ends a subagent, if the program can. */
    default void stopSubagent(String agent) {}

    /**
     * Ends the turn for a last one with this prompt, and then the program; false if the program
     * cannot.
     */
    default boolean conclude(String prompt) {
        return false;
    }

    /** Called when the program has been silent for a moment. */
    default void quiet() {}

    /** Ends the turn, and then the program. */
    void stop();

    /** Handles a line of the program's standard error. */
    default void complained(String line) {}

    /** False if the program ended before it took up its conversation. */
    boolean hasBegun();

    /** True if the program says that it does not have the conversation to resume. */
    boolean hasLost();

    /** The outcome, once the program has ended with this exit code. */
    Outcome outcome(int exit);

    /** The result of the agent, or why it failed. */
    sealed interface Outcome {
        record Done(String text) implements Outcome {}

        record Failed(String why) implements Outcome {}
    }
}
