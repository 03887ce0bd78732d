package dev.coppice.originals.page;

import dev.coppice.observe.Observations.Sent;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Messages to a page besides events. */
public interface Tidings {
    /** Nothing: the hook server's own pages know only events. */
    Tidings NONE =
            new Tidings() {
                @Override
                public List<String> first() {
                    return List.of();
                }

                @Override
                public List<String> after(Sent event) {
                    return List.of();
                }
            };

    /** After the list of the newest events. */
    List<String> first();

    /** After an event. */
    List<String> after(Sent event);

    /** The answer to a message of the page, if it is a question. */
    default @Nullable String answer(String text) {
        return null;
    }
}
