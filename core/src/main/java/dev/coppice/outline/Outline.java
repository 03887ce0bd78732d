package dev.coppice.outline;

import dev.coppice.kernel.SessionId;
import dev.coppice.outline.Line.Openness;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The rows of a tree in the order of creation, depth first. If more than {@link #SIBLINGS_MAX}
 * siblings are of a kind, one row folds those without a failure or a question at or below them. A
 * filter shows the sessions that meet it and their ancestors, without folds.
 */
public final class Outline {
    public static final int SIBLINGS_MAX = 20;

    private final List<Node> nodes;
    private final OutlineShape shape;
    private final int[] parents;
    private final List<List<Integer>> children;
    private final Tally[] tallies;
    private final boolean[] isMet;
    private final List<Line> lines = new ArrayList<>();

    /** The sessions of one tree, depth first, the top first. */
    public Outline(List<Node> nodes, OutlineShape shape) {
        this.nodes = List.copyOf(nodes);
        this.shape = shape;
        this.parents = new int[nodes.size()];
        this.children = new ArrayList<>(nodes.size());
        this.tallies = new Tally[nodes.size()];
        this.isMet = new boolean[nodes.size()];
        link();
        sumUp();
        if (!nodes.isEmpty() && isShown(0)) add(0, 0, 1, 1);
    }

    private void link() {
        var above = new ArrayList<Integer>();
        for (int i = 0; i < nodes.size(); i++) {
            children.add(new ArrayList<>());
            int level = nodes.get(i).depth() - nodes.getFirst().depth();
            while (above.size() > level) above.removeLast();
            parents[i] = above.isEmpty() ? -1 : above.getLast();
            if (parents[i] >= 0) children.get(parents[i]).add(i);
            above.add(i);
        }
    }

    /** Children follow their parents, so from the end every child is complete before its parent. */
    private void sumUp() {
        for (int i = nodes.size() - 1; i >= 0; i--) {
            var sum = Tally.of(nodes.get(i));
            boolean met = shape.isMet(nodes.get(i));
            for (int child : children.get(i)) {
                sum = sum.plus(tallies[child]);
                met |= isMet[child];
            }
            tallies[i] = sum;
            isMet[i] = met;
        }
    }

    public List<Line> lines() {
        return List.copyOf(lines);
    }

    /** The top and all below it. */
    public Tally all() {
        return nodes.isEmpty() ? Tally.NONE : tallies[0];
    }

    public boolean has(SessionId id) {
        return indexOf(id) >= 0;
    }

    /** The place of a session's row; empty if it has none. */
    public Optional<Integer> placeOf(SessionId id) {
        return IntStream.range(0, lines.size())
                .filter(i ->
                        lines.get(i) instanceof Line.OfSession line && line.node().id().equals(id))
                .boxed()
                .findFirst();
    }

    /** The next wanted session after this one; continues at the start after the last. */
    public Optional<SessionId> next(Predicate<Node> wanted, SessionId from) {
        int at = Math.max(0, indexOf(from));
        return IntStream.rangeClosed(1, nodes.size())
                .mapToObj(step -> nodes.get((at + step) % nodes.size()))
                .filter(wanted)
                .map(Node::id)
                .findFirst();
    }

    /** The ids that must be open for a session to have a row: those above it, and its fold. */
    public Set<String> above(SessionId below) {
        var open = new HashSet<String>();
        int at = indexOf(below);
        while (at >= 0 && parents[at] >= 0) {
            int child = at;
            at = parents[at];
            open.add(nodes.get(at).id().value());
            folds(at)
                    .forEach((id, fold) -> {
                        if (fold.hidden().contains(child)) open.add(id);
                    });
        }
        return open;
    }

    private int indexOf(SessionId id) {
        return IntStream.range(0, nodes.size())
                .filter(i -> nodes.get(i).id().equals(id))
                .findFirst()
                .orElse(-1);
    }

    private boolean isShown(int at) {
        return !shape.isFiltering() || isMet[at];
    }

    private void add(int at, int level, int place, int siblings) {
        var openness = openness(at, level);
        lines.add(
                new Line.OfSession(
                        nodes.get(at),
                        level,
                        place,
                        siblings,
                        children.get(at).size(),
                        openness,
                        tallies[at]));
        if (openness == Openness.OPEN) addChildren(at, level + 1);
    }

    private Openness openness(int at, int level) {
        if (children.get(at).stream().noneMatch(this::isShown)) return Openness.LEAF;
        var id = nodes.get(at).id().value();
        if (shape.closed().contains(id)) return Openness.CLOSED;
        boolean isOpen =
                level < shape.levels() || shape.opened().contains(id) || shape.isFiltering();
        return isOpen ? Openness.OPEN : Openness.CLOSED;
    }

    private void addChildren(int parent, int level) {
        var shown = children.get(parent).stream().filter(this::isShown).toList();
        var folds = shape.isFiltering() ? Map.<String, Fold>of() : folds(parent);
        var foldOf = new HashMap<Integer, Fold>();
        folds.values().forEach(fold -> fold.hidden().forEach(m -> foldOf.put(m, fold)));
        int siblings = shown.size() - foldOf.size() + folds.size();
        int place = 0;
        for (int child : shown) {
            var fold = foldOf.get(child);
            if (fold == null) add(child, level, ++place, siblings);
            else if (fold.hidden().getFirst() == child) {
                addFold(fold, parent, level, ++place, siblings);
            }
        }
    }

    private void addFold(Fold fold, int parent, int level, int place, int siblings) {
        boolean isOpen = shape.opened().contains(fold.id());
        var members = fold.hidden();
        lines.add(
                new Line.OfFold(
                        fold.id(),
                        nodes.get(parent).id(),
                        nodes.get(members.getFirst()).kind(),
                        level,
                        place,
                        siblings,
                        isOpen ? Openness.OPEN : Openness.CLOSED,
                        Tally.of(fold.all().stream().map(m -> Tally.of(nodes.get(m))).toList()),
                        fold.all().stream().mapToLong(m -> nodes.get(m).tokens()).sum(),
                        fold.all().stream().mapToLong(m -> nodes.get(m).costMicros()).sum()));
        if (!isOpen) return;
        for (int i = 0; i < members.size(); i++) {
            add(members.get(i), level + 1, i + 1, members.size());
        }
    }

    /** Children of a kind: all of them, and those that only the fold shows. */
    private record Fold(String id, List<Integer> all, List<Integer> hidden) {}

    /** The folds of a session's children, by their ids. */
    private Map<String, Fold> folds(int parent) {
        if (children.get(parent).size() <= SIBLINGS_MAX) return Map.of();
        var kinds = new LinkedHashMap<String, List<Integer>>();
        for (int child : children.get(parent)) {
            var id = nodes.get(parent).id().value() + "/" + nodes.get(child).kind();
            kinds.computeIfAbsent(id, _ -> new ArrayList<>()).add(child);
        }
        var folds = new LinkedHashMap<String, Fold>();
        kinds.forEach((id, members) -> {
            if (members.size() <= SIBLINGS_MAX) return;
            var quiet = members.stream().filter(m -> !tallies[m].needsLook()).toList();
            if (!quiet.isEmpty()) folds.put(id, new Fold(id, members, quiet));
        });
        return folds;
    }

    /** Returns a shape in which these are open, too. */
    public static OutlineShape opened(OutlineShape shape, Collection<String> ids) {
        var open = new HashSet<>(shape.opened());
        open.addAll(ids);
        var closed = new HashSet<>(shape.closed());
        closed.removeAll(ids);
        return new OutlineShape(shape.levels(), open, closed, shape.text(), shape.states());
    }
}
