package dev.coppice.session;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * Whether a tree may grow by one below a given session. Pure: it looks at the parent and all above
 * it, nearest first, each with its own limits, and finds the first that would be passed.
 */
final class Growth {
    static final String COORDINATOR = "the coordinator";
    private final List<Ancestor> above;
    private final Limits defaults;

    Growth(List<Ancestor> above, Limits defaults) {
        this.above = above;
        this.defaults = defaults;
    }

    Optional<Refusal> forbidden() {
        var parent = above.getFirst();
        return tooDeep(parent)
                .or(() -> tooManyChildren(parent))
                .or(this::tooManyDescendants)
                .map(reached -> reached);
    }

    /** Whether there is no room for one more that lives, at a depth that was allowed before. */
    Optional<Refusal> crowded() {
        return tooManyChildren(above.getFirst())
                .or(this::tooManyDescendants)
                .map(reached -> reached);
    }

    /** What the parent has left to give to a child. */
    Limits left() {
        var parent = above.getFirst();
        int depth = Bounds.TREE_DEPTH_MAX;
        int children = Integer.MAX_VALUE;
        int descendants = Integer.MAX_VALUE;
        int runs = Integer.MAX_VALUE;
        for (var a : above) {
            var own = a.session().limits();
            int between = parent.session().place().depth() - a.session().place().depth();
            depth = Math.min(depth, or(own.depth()) - between - 1);
            children = Math.min(children, or(own.children()));
            descendants = Math.min(descendants, or(own.descendants()) - a.livingBelow() - 1);
            runs = Math.min(runs, or(own.runs()));
        }
        return new Limits(Math.max(depth, 0), children, Math.max(descendants, 0), runs);
    }

    /** What those above allow a child that is there already, each where it was set at all. */
    static Limits inherited(List<Ancestor> above, int childDepth) {
        var limits = Limits.NONE;
        for (var a : above) {
            var own = a.session().limits();
            int between = childDepth - a.session().place().depth();
            var depth = own.depth() == null ? null : Math.max(0, own.depth() - between);
            limits =
                    limits.narrowedTo(
                            new Limits(depth, own.children(), own.descendants(), own.runs()));
        }
        return limits;
    }

    private Optional<RequestRefusal.LimitReached> tooDeep(Ancestor parent) {
        int depth = parent.session().place().depth() + 1;
        for (var a : above) {
            var max = a.session().limits().depth();
            int below = depth - a.session().place().depth();
            if (max != null && below > max) return reached("depth", max, below, a.session());
        }
        int max = Math.min(Bounds.TREE_DEPTH_MAX, or(defaults.depth()));
        return depth > max ? reached("depth", max, depth, null) : Optional.empty();
    }

    private Optional<RequestRefusal.LimitReached> tooManyChildren(Ancestor parent) {
        int wanted = parent.livingChildren() + 1;
        for (var a : above) {
            var max = a.session().limits().children();
            if (max != null && wanted > max) return reached("children", max, wanted, a.session());
        }
        return wanted > or(defaults.children())
                ? reached("children", or(defaults.children()), wanted, null)
                : Optional.empty();
    }

    private Optional<RequestRefusal.LimitReached> tooManyDescendants() {
        for (var a : above) {
            var max = a.session().limits().descendants();
            int wanted = a.livingBelow() + 1;
            if (max != null && wanted > max) {
                return reached("descendants", max, wanted, a.session());
            }
        }
        var root = above.getLast();
        int wanted = root.livingBelow() + 1;
        return root.session().limits().descendants() == null && wanted > or(defaults.descendants())
                ? reached("descendants", or(defaults.descendants()), wanted, null)
                : Optional.empty();
    }

    private static Optional<RequestRefusal.LimitReached> reached(
            String limit, int value, int wanted, @Nullable Session by) {
        return Optional.of(
                new RequestRefusal.LimitReached(
                        limit, value, wanted, by == null ? COORDINATOR : said(by.id(), by.name())));
    }

    private static String said(SessionId id, String name) {
        return "session %s (%s)".formatted(name, id);
    }

    private static int or(@Nullable Integer limit) {
        return limit == null ? Integer.MAX_VALUE : limit;
    }
}
