package dev.coppice.originals.page;

import dev.coppice.observe.Observations.Sent;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Messages to a page besides events. */
public interface Tidings {
    /** No messages: the hook server's own pages know only events. */
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

    /** Returns the messages that follow the list of the newest events. */
    List<String> first();

    /** Returns the messages that follow an event. */
    List<String> after(Sent event);

    /** Returns the answer to a message of the page; null if it needs none. */
    default @Nullable String answer(String text) {
        return null;
    }
}
