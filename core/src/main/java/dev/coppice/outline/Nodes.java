package dev.coppice.outline;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import java.util.List;
import java.util.Optional;

/**
 * The sessions of trees, as far as outlines need them. Every method joins the current transaction.
 */
public interface Nodes {
    /** Returns the session and all below it, depth first, at most {@code max}. */
    List<Node> below(SessionId top, int max);

    /** The row of a session, closed. */
    Optional<Line> tree(SessionId top);

    /** The rows of roots, closed, newest first. */
    Slice<Line> trees(Which which, Cursor cursor);

    enum Which {
        ALL,
        /** Trees with a live session. */
        LIVE
    }
}
