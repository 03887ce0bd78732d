package dev.coppice.callback;

import dev.coppice.kernel.JsonText;

/** What takes a JSON library: showing data to an agent, and giving a run its prompt. */
public interface Prompting {
    /** The same data on several lines, for someone who reads it. */
    String pretty(JsonText data);

    /** The same parameters with another prompt. */
    JsonText withPrompt(JsonText parameters, String prompt);
}
