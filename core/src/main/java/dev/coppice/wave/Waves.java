package dev.coppice.wave;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** All waves, without those of hidden sessions. Every method joins the current transaction. */
public interface Waves {
    void add(WavePlan plan);

    Optional<Wave> find(String id);

    /** Newest first; with {@code within} those of this session and of all below it. */
    Slice<Wave> list(@Nullable SessionId within, Cursor cursor);

    /** In the order in which they were declared. */
    List<Planned> planned(Wave wave);

    /** The sessions of a wave, in the order in which they started. */
    List<WaveMember> members(String wave, int max);

    /** The children of a session that belong to no wave, in the order in which they started. */
    List<WaveMember> loose(SessionId parent, int max);

    /** Adds a session to a wave, unless it belongs to one. */
    void join(SessionId session, String wave, @Nullable String phase);

    /** Waves with members that wait, oldest first. */
    List<String> waiting(int max);

    /** Settles a member that waits; false if it does not. */
    boolean settle(Wave wave, String member, Planned.Fate fate);
}
