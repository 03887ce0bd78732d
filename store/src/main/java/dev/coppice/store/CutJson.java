package dev.coppice.store;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

import java.io.StringWriter;

/** The beginning of a JSON text, of which a query read only the first characters. */
final class CutJson {
    private static final JsonFactory JSON = new JsonFactory();

    private CutJson() {}

    /** The text; if it was cut at {@code charsMax}, it is closed, so that it is JSON. */
    static String closed(String text, int charsMax) {
        if (text.length() < charsMax) return text;
        var whole = new StringWriter();
        try (var out = JSON.createGenerator(ObjectWriteContext.empty(), whole);
                var in = JSON.createParser(ObjectReadContext.empty(), text)) {
            for (var token = in.nextToken(); token != null; token = in.nextToken()) {
                copy(token, in, out);
            }
        } catch (JacksonException _) {
            // The generator has closed what was open.
        }
        return whole.toString();
    }

    /** Writes a name with its value: the cut may be between them, or in the value. */
    private static void copy(JsonToken token, JsonParser in, JsonGenerator out) {
        if (token == JsonToken.PROPERTY_NAME) return;
        var text = token == JsonToken.VALUE_STRING ? in.getString() : null;
        var name = token.isStructEnd() ? null : in.currentName();
        if (name != null) out.writeName(name);
        if (text == null) out.copyCurrentEvent(in);
        else out.writeString(text);
    }
}
