package dev.coppice.outline;

import dev.coppice.kernel.SessionId;

/** A row of an outline. */
public sealed interface Line {
    int level();

    /**
     * A session.
     *
     * @param level levels below the top
     * @param place its place among the siblings, from 1
     * @param siblings how many siblings are shown, itself included
     * @param children how many children it has
     * @param tree it and all below it
     */
    record OfSession(
            Node node,
            int level,
            int place,
            int siblings,
            int children,
            Openness openness,
            Tally tree)
            implements Line {}

    /**
     * Many siblings of a kind in one row.
     *
     * @param id names the fold in {@link OutlineShape#opened}
     * @param parent the session whose children they are
     * @param tally all siblings of the kind, also those with rows of their own, without descendants
     */
    record OfFold(
            String id,
            SessionId parent,
            String kind,
            int level,
            int place,
            int siblings,
            Openness openness,
            Tally tally,
            long tokens,
            long costMicros)
            implements Line {}

    /** The state of a row: open, closed, or without rows below it. */
    enum Openness {
        OPEN,
        CLOSED,
        /** No rows are below it. */
        LEAF
    }
}
