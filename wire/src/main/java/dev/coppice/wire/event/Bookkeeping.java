package dev.coppice.wire.event;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Tells the events that keep account of a session from those in which something was said or done.
 * The reader is shown them in order, and remembers what was said last.
 */
public final class Bookkeeping {
    private static final Set<String> TYPES =
            Set.of("run_start", "run_completed", "alert_raised", "session_created");

    private static final String CALLBACKS = "callback_";

    private final Map<String, String> said = new HashMap<>();

    /** True for a type whose events only keep account; how a run failed is told by an event. */
    public static boolean is(String type) {
        return TYPES.contains(type) || type.startsWith(CALLBACKS);
    }

    /** True if a person need not see the event: it keeps account, or repeats what was said. */
    public boolean hides(EventView event) {
        var type = event.eventType();
        if (is(type)) return true;
        if (type.equals("message")) {
            var content = event.details().get("content");
            var text = content == null ? "" : Saying.content(content).strip();
            if (!text.isEmpty()) said.put(event.sessionId(), text);
            return false;
        }
        return type.equals("result") && isSaid(event);
    }

    private boolean isSaid(EventView event) {
        var result = event.details().get("result_text");
        @Nullable String text = result != null && result.isString() ? result.asString() : null;
        return text != null && text.strip().equals(said.get(event.sessionId()));
    }
}
