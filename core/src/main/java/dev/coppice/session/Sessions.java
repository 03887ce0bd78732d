package dev.coppice.session;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Every session there is. All of it acts within the transaction under way. */
public interface Sessions {
    Optional<Session> find(SessionId id);

    Optional<Session> named(String name);

    /** Whether the id is that of someone out of sight, who may come back. */
    boolean isKept(SessionId id);

    void add(Session session);

    /** Keeps what changed, and the counts of the living above it. */
    void save(Session session);

    /** Newest first. */
    Slice<Session> list(SessionFilter filter, Cursor cursor);

    /**
     * Sessions that should have stopped before a moment, whether or not a run of theirs is live.
     */
    List<Session> stoppingPast(Instant moment, int max);

    /** Nothing wakes these until someone resumes them: the session and all below it. */
    void quieten(SessionId top, Instant since);

    /** The session itself and those below it that live, with nothing living below them. */
    List<Session> livingLeaves(SessionId top);

    /** In the order they were born. */
    Slice<Session> children(SessionId parent, Cursor cursor);

    /** All below, depth first, siblings in the order they were born; {@code depthMax} levels. */
    Slice<Session> descendants(SessionId top, int depthMax, Cursor cursor);

    /** How many levels hang below it. */
    int levelsBelow(SessionId id);

    /** Makes it the root of a tree of its own, with all below it, and these limits. */
    void uproot(SessionId child, Limits limits);

    /** Hangs a root below another session, with all below it, and gives it these limits. */
    void graft(SessionId root, SessionId parent, Limits limits);

    long countChildren(SessionId parent);

    long countDescendants(SessionId top);

    /** The session itself and all above it, the root last. */
    List<Ancestor> ancestry(SessionId id);

    /**
     * Returns how many bytes are stored of the tree in which the session was born, and the limit
     * that the tree's root has.
     */
    Stored stored(SessionId in, Limits.Kind kind);

    record Stored(long bytes, @Nullable Long max) {}

    /** Whether {@code id} is {@code top} or somewhere below it. */
    boolean isWithin(SessionId id, SessionId top);
}
