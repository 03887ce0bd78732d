package dev.coppice.session;

import java.util.List;

/** A session above a newcomer, with what it allows and what already lives below it. */
public record Ancestor(Session session, int livingChildren, int livingBelow) {

    /** What a session may grow to when it no longer has those above it: not more than before. */
    public static Limits limitsOf(List<Ancestor> selfAndAbove) {
        var self = selfAndAbove.getFirst().session();
        var above = selfAndAbove.subList(1, selfAndAbove.size());
        return self.limits().narrowedTo(Growth.inherited(above, self.place().depth()));
    }
}
