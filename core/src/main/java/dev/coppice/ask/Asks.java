package dev.coppice.ask;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Questions and standing answers of visible sessions. Every method joins the current transaction.
 */
public interface Asks {
    void add(Ask ask);

    Optional<Ask> find(String id);

    /** Saves the end of a question; false if it was settled before. */
    boolean settle(Ask settled);

    /** Newest first; with {@code within} those of this session and of all below it. */
    Slice<Ask> list(@Nullable SessionId within, Cursor cursor);

    /** The same, without those that are settled. */
    Slice<Ask> open(@Nullable SessionId within, Cursor cursor);

    OpenCount countOpen(SessionId session);

    record OpenCount(long ofSession, long ofTree, long ofAll) {}

    /** Open questions whose time was over at this moment. */
    List<Ask> overdue(Instant moment, int max);

    /** Settles all open questions; returns how many. */
    int withdrawAll(Ask.Settled end);

    void add(StandingAnswer answer);

    Optional<StandingAnswer> findStanding(String id);

    /** The standing answers that hold at a session: its own, then those of each ancestor. */
    List<StandingAnswer> above(SessionId session, Instant now);

    /** Newest first, with those that are over. */
    Slice<StandingAnswer> listStanding(@Nullable SessionId within, Cursor cursor);

    void revoke(StandingAnswer answer, StandingAnswer.Revoked by);

    void used(StandingAnswer answer, Instant at);
}
