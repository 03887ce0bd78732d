package dev.coppice.wave;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All waves, without those of hidden sessions. Every method joins the current transaction. */
public interface Waves {
    void add(WavePlan plan);

    Optional<Wave> find(String id);

    /** Newest first; with {@code within} those of this session and of all below it. */
    Slice<Wave> list(@Nullable SessionId within, Cursor cursor);

    /** True if a wave has this id, visible or hidden. */
    boolean isTaken(String id);

    /** In the order in which they were declared, without the requests for their runs. */
    List<Planned> planned(Wave wave);

    /** Returns the run request of a waiting member; empty if the member does not wait. */
    Optional<JsonText> waitingRun(Wave wave, String member);

    /** The states of the sessions of the plan's members; a removed one is absent. */
    Map<String, String> states(Wave wave);

    /** True while a member waits or is busy. */
    boolean isBusy(String wave);

    /** The sessions of a wave, in the order in which they started. */
    List<WaveMember> members(String wave, int max);

    boolean isMember(SessionId session, String wave);

    /** The newest children of a session that belong to no wave, in the order of their starts. */
    List<WaveMember> loose(SessionId parent, int max);

    /** Adds a session to a wave, unless it belongs to one. */
    void join(SessionId session, String wave, @Nullable String phase);

    /** Waves with members that wait, oldest first. */
    Slice<String> waiting(Cursor cursor);

    /**
     * Deletes waves without a session above them that were declared before a time, if nothing waits
     * in them and all their members are gone; at most {@code max}. Returns how many.
     */
    int forget(Instant before, int max);

    /** Counts the waves below this session that have waiting members. */
    int countWaiting(SessionId parent);

    /**
     * Settles a member that waits, and deletes the request for its run; false if it does not wait.
     */
    boolean settle(Wave wave, String member, Planned.Fate fate);
}
