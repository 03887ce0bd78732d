package dev.coppice.alert;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/** All alerts of visible sessions. Every method joins the current transaction. */
public interface Alerts {
    /**
     * Returns the ends of sessions among the next {@code max} entries of the journal after the last
     * one that was read.
     */
    News unread(int max);

    /** Remembers that the news were read; false if another coordinator has. */
    boolean read(News news);

    /**
     * Adds an alert, unless the session is being removed or restored, or has one that is newer than
     * {@code since}.
     */
    boolean add(Alert alert, Instant since);

    /** Newest first; with {@code within} those of this session and of all below it. */
    Slice<Alert> list(@Nullable SessionId within, Cursor cursor);

    List<Alert> due(Instant now, int max);

    /** Saves the delivery, if no other coordinator has moved it since. */
    boolean save(Alert before, Alert.Delivery next);

    /** The entries from one number to another, and the ends of sessions among them. */
    record News(long from, long to, List<End> ends) {
        public News {
            ends = List.copyOf(ends);
        }
    }

    /** A session that did not end well. {@code since} is when it last began. */
    record End(
            SessionId session,
            String name,
            Alert.Kind kind,
            @Nullable String reason,
            Instant at,
            Instant since) {}
}
