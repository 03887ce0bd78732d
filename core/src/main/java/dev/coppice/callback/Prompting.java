package dev.coppice.callback;

import dev.coppice.kernel.JsonText;

/**
 * Operations that need a JSON library: showing data to an agent, and setting the prompt of a run.
 */
public interface Prompting {
    /** The same data on several lines, for a reader. */
    String pretty(JsonText data);

    /** The same parameters with another prompt. */
    JsonText withPrompt(JsonText parameters, String prompt);
}
