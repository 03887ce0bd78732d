package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.kernel.Cursor;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.view.Views;
import dev.coppice.wire.look.TreeCalls;
import dev.coppice.wire.session.SessionView;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The ancestors and the descendants of a session. */
public final class TreeOperations {
    private static final int NESTED_SESSIONS_MAX = 10_000;
    private final Scope scope;
    private final Sessions sessions;

    public TreeOperations(Scope scope) {
        this.scope = scope;
        this.sessions = scope.sessions();
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(
                        TreeCalls.CHILDREN,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), s -> children(s, in))),
                Operation.of(
                        TreeCalls.COUNT_CHILDREN,
                        Need.READ,
                        (x, in) ->
                                scope.showing(
                                        x,
                                        in.sessionId(),
                                        s -> count(s, sessions.countChildren(s.id())))),
                Operation.of(
                        TreeCalls.DESCENDANTS,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), s -> descendants(s, in))),
                Operation.of(
                        TreeCalls.COUNT_DESCENDANTS,
                        Need.READ,
                        (x, in) ->
                                scope.showing(
                                        x,
                                        in.sessionId(),
                                        s -> count(s, sessions.countDescendants(s.id())))),
                Operation.of(
                        TreeCalls.TREE,
                        Need.READ,
                        (x, in) ->
                                scope.showing(
                                        x,
                                        in.below().sessionId(),
                                        s -> in.flat() ? flat(s, in.below()) : nested(s, in))),
                Operation.of(
                        TreeCalls.PATH,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), s -> path(x, s))));
    }

    private static TreeCalls.Count count(Session s, long count) {
        return new TreeCalls.Count(s.id().value(), count);
    }

    private TreeCalls.Children children(Session s, TreeCalls.Below in) {
        var page = sessions.children(s.id(), Given.cursor(in.page()));
        return new TreeCalls.Children(
                views(page.items()), page.next(), sessions.countChildren(s.id()));
    }

    private static List<SessionView> views(List<Session> sessions) {
        return sessions.stream().map(Views::session).toList();
    }

    private TreeCalls.Descendants descendants(Session s, TreeCalls.Deep in) {
        var page = sessions.descendants(s.id(), in.maxDepth(), Given.cursor(in.page()));
        return new TreeCalls.Descendants(views(page.items()), page.next());
    }

    /** A page of the tree; the first page starts with the session itself. */
    private TreeCalls.TreeAnswer flat(Session top, TreeCalls.Deep in) {
        var cursor = Given.cursor(in.page());
        boolean first = cursor.after() == null;
        var below = first ? Cursor.first(Math.max(1, cursor.max() - 1)) : cursor;
        var page = sessions.descendants(top.id(), in.maxDepth(), below);
        var lead = first ? Stream.of(top) : Stream.<Session>empty();
        var all = Stream.concat(lead, page.items().stream()).map(Views::session).toList();
        return new TreeCalls.Flat(all, page.next());
    }

    /** The tree in one answer, up to a limit; the flat form pages through larger trees. */
    private TreeCalls.TreeAnswer nested(Session top, TreeCalls.Whole in) {
        var page =
                sessions.descendants(
                        top.id(), in.below().maxDepth(), Cursor.first(NESTED_SESSIONS_MAX));
        var root = node(top);
        var open = new ArrayDeque<Level>();
        open.push(new Level(top.place().depth(), root));
        for (var session : page.items()) {
            while (open.element().depth() >= session.place().depth()) open.pop();
            var node = node(session);
            open.element().node().children().add(node);
            open.push(new Level(session.place().depth(), node));
        }
        return new TreeCalls.Nested(root, page.next() != null);
    }

    private record Level(int depth, TreeCalls.Node node) {}

    private static TreeCalls.Node node(Session session) {
        return new TreeCalls.Node(Views.session(session), new ArrayList<>());
    }

    private TreeCalls.Path path(Context x, Session s) {
        var above =
                sessions.ancestry(s.id()).reversed().stream()
                        .map(a -> a.session())
                        .filter(a -> scope.access().sees(x.caller(), a.id()))
                        .toList();
        return new TreeCalls.Path(s.place().path(), views(above));
    }
}
