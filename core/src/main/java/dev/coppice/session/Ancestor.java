package dev.coppice.session;

import java.util.List;

/** A session in a line of ancestors, with the numbers of live sessions below it. */
public record Ancestor(Session session, int livingChildren, int livingBelow) {

    /** Returns the limits of a session that loses its ancestors: no higher than with them. */
    public static Limits limitsOf(List<Ancestor> selfAndAbove) {
        var self = selfAndAbove.getFirst().session();
        var above = selfAndAbove.subList(1, selfAndAbove.size());
        return self.limits().narrowedTo(Growth.inherited(above, self.place().depth()));
    }
}
