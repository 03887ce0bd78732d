package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.view.Views;
import dev.coppice.web.Exchange;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayDeque;
import java.util.List;

/** A session's place: what is above it, beside it and below it. */
public final class TreeRoutes {
    private static final Route.Query DEPTH =
            new Route.Query("max_depth", "how many levels below; all by default");
    private final Room room;
    private final Sessions sessions;

    public TreeRoutes(Room room) {
        this.room = room;
        this.sessions = room.sessions();
    }

    public List<Route> routes() {
        return List.of(
                Route.get(
                                "/sessions/{id}/children",
                                Need.READ,
                                "The children, first-born first",
                                this::children)
                        .paged(),
                Route.get(
                        "/sessions/{id}/children/count",
                        Need.READ,
                        "How many children",
                        this::countChildren),
                Route.get(
                                "/sessions/{id}/descendants",
                                Need.READ,
                                "All below, depth first",
                                this::descendants)
                        .paged()
                        .with(DEPTH),
                Route.get(
                        "/sessions/{id}/descendants/count",
                        Need.READ,
                        "How many below",
                        this::countDescendants),
                Route.get(
                                "/sessions/{id}/tree",
                                Need.READ,
                                "The session and all below it",
                                this::tree)
                        .paged()
                        .with(DEPTH, new Route.Query("flat", "true for a paged list, depth first")),
                Route.get(
                        "/sessions/{id}/path",
                        Need.READ,
                        "From the root down to the session",
                        this::path));
    }

    private Reply children(Exchange x) {
        return room.reading(
                x,
                s -> {
                    var page = sessions.children(s.id(), x.cursor());
                    return Reply.ok(
                            Listed.as("children", page, Views::session)
                                    .put("count", sessions.countChildren(s.id())));
                });
    }

    private Reply countChildren(Exchange x) {
        return room.reading(x, s -> count(s, sessions.countChildren(s.id())));
    }

    private Reply countDescendants(Exchange x) {
        return room.reading(x, s -> count(s, sessions.countDescendants(s.id())));
    }

    private static Reply count(Session s, long count) {
        return Reply.ok(Json.object().put("session_id", s.id().value()).put("count", count));
    }

    private Reply descendants(Exchange x) {
        int depth = depth(x);
        return room.reading(
                x,
                s -> {
                    var page = sessions.descendants(s.id(), depth, x.cursor());
                    return Reply.ok(Listed.as("descendants", page, Views::session));
                });
    }

    private static int depth(Exchange x) {
        return (int) x.number("max_depth", Bounds.TREE_DEPTH_MAX, 0, Bounds.TREE_DEPTH_MAX);
    }

    private Reply tree(Exchange x) {
        int depth = depth(x);
        return room.reading(x, s -> x.flag("flat") ? flat(x, s, depth) : nested(s, depth));
    }

    /** The session itself leads the first page. */
    private Reply flat(Exchange x, Session top, int depth) {
        var cursor = x.cursor();
        boolean first = cursor.after() == null;
        var below = first ? Cursor.first(Math.max(1, cursor.max() - 1)) : cursor;
        var page = sessions.descendants(top.id(), depth, below);
        var body = Listed.as("sessions", page, Views::session);
        if (first) {
            ((ArrayNode) body.get("sessions")).insert(0, Json.tree(Views.session(top)));
        }
        return Reply.ok(body);
    }

    /**
     * Everything in one piece, so it is cut at a size that one answer can hold; what was left out
     * is counted, and the flat form pages through it.
     */
    private Reply nested(Session top, int depth) {
        var page = sessions.descendants(top.id(), depth, Cursor.first(NESTED_SESSIONS_MAX));
        var root = node(top);
        var open = new ArrayDeque<Level>();
        open.push(new Level(top.place().depth(), root));
        for (var session : page.items()) {
            while (open.element().depth() >= session.place().depth()) open.pop();
            var node = node(session);
            ((ArrayNode) open.element().node().get("children")).add(node);
            open.push(new Level(session.place().depth(), node));
        }
        var body = Json.object();
        body.set("tree", root);
        return Reply.ok(body.put("truncated", page.next() != null));
    }

    private static final int NESTED_SESSIONS_MAX = 10_000;

    private record Level(int depth, ObjectNode node) {}

    private static ObjectNode node(Session session) {
        var node = (ObjectNode) Json.tree(Views.session(session));
        node.putArray("children");
        return node;
    }

    private Reply path(Exchange x) {
        return room.reading(
                x,
                s -> {
                    var above =
                            sessions.ancestry(s.id()).reversed().stream()
                                    .map(a -> a.session())
                                    .filter(a -> room.access().sees(x.caller(), a.id()))
                                    .map(Views::session)
                                    .toList();
                    var body = Json.object().put("path", s.place().path());
                    body.set("sessions", Json.tree(above));
                    return Reply.ok(body);
                });
    }
}
