package dev.coppice.session;

import java.util.List;

/** A session in a line of ancestors, with the numbers of live sessions below it. */
public record Ancestor(Session session, int livingChildren, int livingBelow) {

    /** Returns the limits of a session that loses its ancestors: no higher than with them. */
    public static Limits limitsOf(List<Ancestor> selfAndAbove) {
        var self = selfAndAbove.getFirst().session();
        var above = selfAndAbove.subList(1, selfAndAbove.size());
        return self.limits().narrowedTo(inherited(above, self.place().depth()));
    }

    /** Returns what the limits of the ancestors allow an existing child. */
    private static Limits inherited(List<Ancestor> above, int childDepth) {
        var limits = Limits.NONE;
        for (var a : above) {
            int levels = childDepth - a.session().place().depth();
            limits = limits.narrowedTo(a.session().limits().less(Limits.Kind.DEPTH, levels));
        }
        return limits;
    }
}
