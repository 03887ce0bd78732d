package dev.coppice.runner.drive.dialect;

import tools.jackson.databind.JsonNode;

import java.util.List;

/**
 * The protocol of one agent program. A dialect is called by one thread, and decides by what it has
 * heard and nothing else, so recorded traffic tests it.
 */
public interface Dialect {
    /** The command line of the program. */
    List<String> command();

    /** Begins the work, once the program runs. */
    void begin();

    /** Hears one message of the program. */
    void heard(JsonNode message);

    /** Gives the agent a message within its turn; false if the program cannot take it now. */
    default boolean steer(Message message) {
        return false;
    }

    /** Answers the oldest question of the program; false if it has none. */
    default boolean answer(String text) {
        return false;
    }

    /** True if the program waits for the answer of a person. */
    default boolean isAsking() {
        return false;
    }

    /** The messages that were given to the program and that it has not read. */
    default List<String> unheard() {
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

    /** Nothing was heard for a moment. */
    default void quiet() {}

    /** Ends the turn, and then the program. */
    void stop();

    /** False if the program ended before it took up its conversation. */
    boolean hasBegun();

    /** The outcome, once the program has ended with this exit code. */
    Outcome outcome(int exit);

    /** The result of the agent, or why it failed. */
    sealed interface Outcome {
        record Done(String text) implements Outcome {}

        record Failed(String why) implements Outcome {}
    }
}
