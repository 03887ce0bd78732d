package dev.coppice.removal;

import dev.coppice.budget.Budget;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.session.Limits;
import dev.coppice.session.StateWord;
import dev.coppice.word.Choice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** All removals. Every method joins the current transaction. */
public interface Removals {
    void add(Removal removal);

    void save(Removal removal);

    /** Adds a removal whose sessions do not exist yet: a restore reads them from a file. */
    void addRestoring(Removal removal);

    Optional<Removal> find(RemovalId id);

    /** Counts the removals that began at this session, in any state. */
    long begunOf(SessionId top);

    /** Newest first. */
    Slice<Removal> list(Cursor cursor);

    /** Removals that have something to do now, the oldest first. */
    List<Removal> due(Instant now, int max);

    /**
     * Visible roots of trees in which every session ended before then, and that are not being
     * removed.
     */
    List<SessionId> endedTrees(Instant before, int max);

    /** The latest removal that covers this session, hidden and purged ones included. */
    Optional<Removal> of(SessionId id);

    /** The latest removal that has hidden a session with this name. */
    Optional<Removal> ofNamed(String name);

    /** A removal under way whose top is below this session. */
    Optional<Removal> underWayBelow(SessionId top);

    /** Removals that are hidden below the top of this one and not purged yet. */
    List<Removal> hiddenBelow(Removal removal);

    /** Removals that are hidden below a visible session, and would be removed along with it. */
    List<Removal> earlierBelow(SessionId top);

    /**
     * Counts what belongs to the session and its descendants, or to the session alone if its
     * children stay.
     */
    Survey survey(SessionId top, Choice.Children children);

    /** Visits every session that a removal would cover, in the order of the tree. */
    void outline(SessionId top, Choice.Children children, Consumer<Outline> each);

    /** A session's id, and the word of its state. */
    record Outline(SessionId id, String state) {
        boolean isAlive() {
            return StateWord.ALIVE.contains(state);
        }

        /**
         * Only running sessions are an objection. A pending session has no started run, an idle one
         * does nothing, and a stopping one is ending.
         */
        boolean isAtWork() {
            return state.equals("running");
        }
    }

    /** Enlists some more of its sessions; returns how many. */
    int enlist(Removal removal, int max);

    /** Releases some of its sessions; returns how many. */
    int release(RemovalId id, int max);

    /** Members of a removal, in the order in which they were enlisted. */
    Slice<Member> members(RemovalId id, Cursor cursor);

    long countMembers(RemovalId id);

    /** Records that this session could not be stopped in time. */
    void givenUp(RemovalId id, SessionId member);

    /** Members that were not announced since the removal last changed its direction. */
    List<Member> unannounced(RemovalId id, AnnouncementOrder order, int max);

    /** The order of announcements: followers must never see a child without its parent. */
    enum AnnouncementOrder {
        PARENTS_FIRST,
        CHILDREN_FIRST
    }

    void markAnnounced(RemovalId id, SessionId member);

    long countUnannounced(RemovalId id);

    /** Marks all members as not announced. */
    void markAllUnannounced(RemovalId id);

    /** Names of its sessions that other sessions have taken. */
    List<String> takenNames(RemovalId id);

    /** Gives sessions whose names were taken new names, and all others their own back. */
    void giveNamesBack(RemovalId id);

    /** Records that this child was detached from the top. */
    void detached(RemovalId id, SessionId child, Own own);

    List<Detached> detachedBy(RemovalId id);

    /** A child that was detached. If it no longer exists, another session may have its id. */
    record Detached(SessionId id, boolean isStillThere, @Nullable Own own) {}

    /**
     * The child's own limits and budget before it was detached, and the budget that it was given in
     * place of the inherited one.
     */
    record Own(Limits limits, @Nullable Budget budget, @Nullable Budget given) {}

    /** Deletes some of its rows, leaves first; true if there may be more. */
    boolean purgeSome(Removal removal, int rowsMax);
}
