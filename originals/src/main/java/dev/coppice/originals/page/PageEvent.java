package dev.coppice.originals.page;

import dev.coppice.follow.Item;
import dev.coppice.hooks.SentText;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.observe.Observations.Sent;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/** An event, and its text for pages. */
final class PageEvent {
    /** Made once for all pages. Entries that are no events have none. */
    static final Item.Form<PageEvent> FORM = new Item.Form<>(PageEvent.class, PageEvent::of);

    private static final PageEvent NONE = new PageEvent(null, new byte[0]);

    private final @Nullable Sent event;
    private final byte[] text;

    private PageEvent(@Nullable Sent event, byte[] text) {
        this.event = event;
        this.text = text;
    }

    private static PageEvent of(Entry entry) {
        var sentAt = entry.sentAt();
        return entry.fact() instanceof Fact.Reported(_, var body) && sentAt != null
                ? of(new Sent(entry.number(), entry.session(), sentAt, body, null))
                : NONE;
    }

    static PageEvent of(Sent event) {
        var text = "{\"type\":\"event\",\"data\":" + SentText.of(event) + "}";
        return new PageEvent(event, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Null for an entry that is no event. */
    @Nullable Sent event() {
        return event;
    }

    byte[] text() {
        return text;
    }
}
