package dev.coppice.cli.session;

import dev.coppice.wire.Json;
import dev.coppice.wire.event.EventView;

/** The text of a message of an agent, whose content is a list of parts. */
public final class MessageText {
    private MessageText() {}

    /** Returns the texts of the parts; empty if the event has no content. */
    public static String of(EventView event) {
        var content = event.details().get("content");
        if (content == null || !content.isArray()) return "";
        var text = new StringBuilder();
        for (var part : content) {
            var said = part.isString() ? part.asString() : Json.textIfAny(part, "text");
            if (said != null) text.append(said);
        }
        return text.toString();
    }
}
