package dev.coppice.scene;

import dev.coppice.callback.Prompting;
import dev.coppice.kernel.JsonText;

/** Prompts without a JSON library: parameters are the prompt and nothing else. */
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

    /** The prompt of parameters made here. */
    public static String promptOf(JsonText parameters) {
        return parameters.value().substring(BEGIN.length());
    }
}
