package dev.coppice.alert;

import dev.coppice.alert.Alert.Delivery;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.word.AlertKind;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/** All alerts of visible sessions. Every method joins the current transaction. */
public interface Alerts {
    /**
     * Returns what a person should know among the next {@code max} entries of the journal after the
     * last one that was read.
     */
    News unread(int max);

    /** Records that the news were read; false if another coordinator read them. */
    boolean read(News news);

    /**
     * Adds an alert, unless a removal covers the session, its cause raised one before, or an alert
     * of a failed, timed out or lost session was raised for it since {@code since}.
     */
    boolean add(Alert alert, @Nullable Instant since);

    /** Newest first; with {@code within} those of this session and of all below it. */
    Slice<Alert> list(@Nullable SessionId within, Cursor cursor);

    /** Alerts, each with one due delivery; at most {@code max} for each channel. */
    List<Alert> due(Instant now, int max);

    /** Saves the delivery, if no other coordinator has moved it since. */
    boolean save(Alert alert, Delivery before, Delivery next);

    /** Running sessions without live descendants that have reported nothing since a time. */
    List<Cause> silent(Instant since, int max);

    /** Questions to a person that are open since a time. */
    List<Cause> asking(Instant since);

    /** The entries from one number to another, and what a person should know among them. */
    record News(long from, long to, List<Cause> causes) {
        public News {
            causes = List.copyOf(causes);
        }
    }

    /**
     * A reason to alert about a session. {@code since} is when the session last began, if it has
     * ended.
     */
    record Cause(
            SessionId session,
            String name,
            AlertKind kind,
            String key,
            @Nullable String reason,
            Instant at,
            @Nullable Instant since) {}
}
