package dev.coppice.session;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** All sessions; finds no hidden ones. Every method joins the current transaction. */
public interface Sessions {
    Optional<Session> find(SessionId id);

    Optional<Session> named(String name);

    /** True if the id belongs to a hidden session, which may be restored. */
    boolean isHidden(SessionId id);

    void add(Session session);

    /** Changes the name; the paths of the session and of those below it keep the former one. */
    void rename(SessionId session, String name);

    /** Saves the changes, and updates the ancestors' counts of live sessions. */
    void save(Session session);

    /** Newest first. */
    Slice<Session> list(SessionFilter filter, Cursor cursor);

    /** Sessions whose deadline to stop was before a moment, with or without a live run. */
    List<Session> stoppingPast(Instant moment, int max);

    /** Makes the session and its descendants quiet: no callback wakes them until a resume. */
    void makeQuiet(SessionId top, Instant since);

    /** The live sessions at or below {@code top} that have no live descendants. */
    List<Session> liveLeaves(SessionId top);

    /** In the order of creation. */
    Slice<Session> children(SessionId parent, Cursor cursor);

    /** Descendants of {@code depthMax} levels, depth first, siblings in the order of creation. */
    Slice<Session> descendants(SessionId top, int depthMax, Cursor cursor);

    /**
     * The first session from this place on, in the order of trees: each session before its
     * descendants. Finds sessions at or below {@code top}, or all. A place is a text of the store;
     * null is the first one.
     */
    Optional<Placed> next(@Nullable SessionId top, @Nullable String place);

    /** A session, the place behind it, and the place behind all of its descendants. */
    record Placed(Session session, String behind, String behindAll) {}

    /** True if the session and its descendants all ended, at this moment or before. */
    boolean haveAllEnded(SessionId top, Instant by);

    /** Returns the number of levels below the session. */
    int levelsBelow(SessionId id);

    /** Makes the session and its descendants a tree of its own, with these limits. */
    void detach(SessionId child, Limits limits);

    /** Moves a root and its descendants below another session, with these limits. */
    void attach(SessionId root, SessionId parent, Limits limits);

    long countChildren(SessionId parent);

    long countDescendants(SessionId top);

    /** The session and its ancestors, the root last. */
    List<Ancestor> ancestry(SessionId id);

    /**
     * Returns how many bytes are stored of the tree in which the session was created, and the limit
     * of the session's root.
     */
    Stored stored(SessionId in, Limits.Kind kind);

    record Stored(long bytes, @Nullable Long max) {}

    /** True if {@code id} is {@code top} or a descendant of it. */
    boolean isWithin(SessionId id, SessionId top);
}
