package dev.coppice.view;

import dev.coppice.callback.Prompting;
import dev.coppice.kernel.JsonText;
import dev.coppice.wire.Json;

import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Prompts and data as JSON, laid out for people. */
public final class JsonPrompting implements Prompting {
    private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final DefaultPrettyPrinter PRINTER =
            new DefaultPrettyPrinter(
                            Separators.createDefaultInstance()
                                    .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                                    .withObjectEmptySeparator("")
                                    .withArrayEmptySeparator(""))
                    .withObjectIndenter(LINES)
                    .withArrayIndenter(LINES);

    @Override
    public String pretty(JsonText data) {
        return MAPPER.writer().with(PRINTER).writeValueAsString(Json.read(data.value()));
    }

    @Override
    public JsonText withPrompt(JsonText parameters, String prompt) {
        var object = (ObjectNode) Json.read(parameters.value());
        return new JsonText(object.put("prompt", prompt).toString());
    }
}
