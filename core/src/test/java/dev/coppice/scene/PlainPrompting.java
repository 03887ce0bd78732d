package dev.coppice.scene;

import dev.coppice.callback.Prompting;
import dev.coppice.kernel.JsonText;

/** Prompts without a JSON library: the parameters contain only the prompt. */
public final class PlainPrompting implements Prompting {
    private static final String BEGIN = "{\"prompt\":";

    @Override
    public String pretty(JsonText data) {
        return data.value();
    }

    @Override
    public JsonText withPrompt(JsonText parameters, String prompt) {
        return new JsonText(BEGIN + prompt);
    }

    /** Returns the prompt from parameters made by {@link #withPrompt}. */
    public static String promptOf(JsonText parameters) {
        return parameters.value().substring(BEGIN.length());
    }
}
