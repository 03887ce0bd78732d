package dev.coppice.session;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.session.Limits.Kind;

import java.util.List;
import java.util.Optional;

/**
 * Checks if a session or a tree may be added below a given session. Pure: it finds the first limit
 * of the parent and its ancestors, nearest first, that would be exceeded.
 */
final class Growth {
    private final List<Ancestor> above;
    private final Limits defaults;
    private final Addition addition;

    Growth(List<Ancestor> above, Limits defaults) {
        this(above, defaults, Addition.ONE);
    }

    Growth(List<Ancestor> above, Limits defaults, Addition addition) {
        this.above = above;
        this.defaults = defaults;
        this.addition = addition;
    }

    /**
     * An added child: the levels below it, and the live sessions that it adds as a child and in
     * all.
     */
    record Addition(int levels, int children, int living) {
        static final Addition ONE = new Addition(0, 1, 1);
    }

    Optional<Refusal> forbidden() {
        var parent = above.getFirst();
        return tooDeep(parent)
                .or(() -> tooManyChildren(parent))
                .or(this::tooManyDescendants)
                .map(reached -> reached);
    }

    /** Returns the refusal if there is no room for one more live session; ignores the depth. */
    Optional<Refusal> crowded() {
        return tooManyChildren(above.getFirst())
                .or(this::tooManyDescendants)
                .map(reached -> reached);
    }

    /** Returns the limits that the parent has left for a child. */
    Limits left() {
        var parent = above.getFirst();
        var left = Limits.NONE.with(Kind.DEPTH, Bounds.TREE_DEPTH_MAX);
        for (var a : above) {
            int levels = parent.session().place().depth() - a.session().place().depth() + 1;
            left =
                    left.narrowedTo(
                            a.session()
                                    .limits()
                                    .less(Kind.DEPTH, levels)
                                    .less(Kind.DESCENDANTS, a.livingBelow() + 1L));
        }
        return left;
    }

    private Optional<RequestRefusal.LimitReached> tooDeep(Ancestor parent) {
        int depth = parent.session().place().depth() + 1 + addition.levels();
        for (var a : above) {
            int below = depth - a.session().place().depth();
            if (below > a.session().limits().orEndless(Kind.DEPTH))
                return reached(Kind.DEPTH, below, a.session());
        }
        long max = Math.min(Bounds.TREE_DEPTH_MAX, defaults.orEndless(Kind.DEPTH));
        return depth > max ? reached(Kind.DEPTH, max, depth) : Optional.empty();
    }

    private Optional<RequestRefusal.LimitReached> tooManyChildren(Ancestor parent) {
        long wanted = (long) parent.livingChildren() + addition.children();
        for (var a : above) {
            if (wanted > a.session().limits().orEndless(Kind.CHILDREN))
                return reached(Kind.CHILDREN, wanted, a.session());
        }
        long max = defaults.orEndless(Kind.CHILDREN);
        return wanted > max ? reached(Kind.CHILDREN, max, wanted) : Optional.empty();
    }

    private Optional<RequestRefusal.LimitReached> tooManyDescendants() {
        for (var a : above) {
            long wanted = (long) a.livingBelow() + addition.living();
            if (wanted > a.session().limits().orEndless(Kind.DESCENDANTS))
                return reached(Kind.DESCENDANTS, wanted, a.session());
        }
        var root = above.getLast();
        long wanted = (long) root.livingBelow() + addition.living();
        long max = defaults.orEndless(Kind.DESCENDANTS);
        return root.session().limits().of(Kind.DESCENDANTS) == null && wanted > max
                ? reached(Kind.DESCENDANTS, max, wanted)
                : Optional.empty();
    }

    private static Optional<RequestRefusal.LimitReached> reached(
            Kind kind, long wanted, Session by) {
        return Optional.of(by.reached(kind, wanted));
    }

    private static Optional<RequestRefusal.LimitReached> reached(Kind kind, long max, long wanted) {
        return Optional.of(
                new RequestRefusal.LimitReached(
                        kind.word(), max, wanted, RequestRefusal.LimitReached.COORDINATOR));
    }
}
