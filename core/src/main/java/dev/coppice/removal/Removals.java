package dev.coppice.removal;

import dev.coppice.budget.Budget;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.session.Limits;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Every removal there is. All of it acts within the transaction under way. */
public interface Removals {
    void add(Removal removal);

    void save(Removal removal);

    /** One whose sessions are not there yet: they come from a file. */
    void addRestoring(Removal removal);

    Optional<Removal> find(RemovalId id);

    /** Counts the removals that began at this session, whatever became of them. */
    long begunOf(SessionId top);

    /** Newest first. */
    Slice<Removal> list(Cursor cursor);

    /** Those something is to be done for now, the oldest first. */
    List<Removal> due(Instant now, int max);

    /** Roots of trees in sight in which everyone has ended before then, and nobody removes. */
    List<SessionId> endedTrees(Instant before, int max);

    /** The one that takes this session away, or has taken it. */
    Optional<Removal> of(SessionId id);

    /** The last one that has taken a session with this name out of sight. */
    Optional<Removal> ofNamed(String name);

    /** One that is under way somewhere below, in sight or just out of it. */
    Optional<Removal> underWayBelow(SessionId top);

    /** Those that were hidden below the top of this one before, and are not purged yet. */
    List<Removal> hiddenBelow(Removal removal);

    /** Those that are hidden below a session in sight, and would go along with it. */
    List<Removal> earlierBelow(SessionId top);

    /** What hangs on the session; on itself alone, where those below will stay. */
    Survey survey(SessionId top, Choices.Children children);

    /** Everyone a removal would take, one after the other in the order of the tree. */
    void outline(SessionId top, Choices.Children children, Consumer<Outline> each);

    /** A session by its id, and whether it is alive. */
    record Outline(SessionId id, boolean alive) {}

    /** Writes down some more of those it takes; how many there were. */
    int enlist(Removal removal, int max);

    /** Lets go of some of those that were enlisted; how many there were. */
    int release(RemovalId id, int max);

    /** In the order in which they were enlisted. */
    Slice<Member> members(RemovalId id, Cursor cursor);

    long countMembers(RemovalId id);

    /** Remembers that nobody could stop this one in time. */
    void givenUp(RemovalId id, SessionId member);

    /** Those that nobody was told about yet, since it last changed sides. */
    List<Member> untold(RemovalId id, Telling order, int max);

    /** Who is told about first, so that nobody who follows ever sees a child without its parent. */
    enum Telling {
        PARENTS_FIRST,
        CHILDREN_FIRST
    }

    void told(RemovalId id, SessionId member);

    long countUntold(RemovalId id);

    /** Makes everyone someone to tell about once more. */
    void tellAgain(RemovalId id);

    /** Names of its own that others have taken meanwhile. */
    List<String> takenNames(RemovalId id);

    /** Gives those whose names were taken new ones, and all others their own again. */
    void giveNamesBack(RemovalId id);

    /** Remembers that this child was detached from the top. */
    void detached(RemovalId id, SessionId child, Own own);

    List<Detached> detachedBy(RemovalId id);

    /** A child that was detached; whoever has its id now may be someone else. */
    record Detached(SessionId id, boolean isStillThere, @Nullable Own own) {}

    /**
     * What was its own before it left, and the budget it was given in place of what it inherited.
     */
    record Own(Limits limits, @Nullable Budget budget, @Nullable Budget given) {}

    /** Deletes some of its rows, leaves first; whether there may be more. */
    boolean purgeSome(Removal removal, int rowsMax);
}
