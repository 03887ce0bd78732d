package dev.coppice.mcp;

import dev.coppice.access.Need;
import dev.coppice.boot.Endpoint;
import dev.coppice.boot.Offer;
import dev.coppice.kernel.Rejected;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.call.ClientSession;
import dev.coppice.mcp.call.ClientSessions;
import dev.coppice.mcp.call.Outbox;
import dev.coppice.mcp.message.Envelopes.Fault;
import dev.coppice.request.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;
import dev.coppice.wire.Call.Empty;
import dev.coppice.wire.Call.Nothing;
import dev.coppice.wire.Call.Stream;
import dev.coppice.wire.Json;
import dev.coppice.wire.McpHeaders;
import dev.coppice.wire.Method;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The endpoint for clients of the Model Context Protocol, of both eras. Requests of the later era
 * are self-contained; clients of the earlier one have a session, in memory.
 */
final class McpRoutes implements Endpoint {
    private static final int VALUES_MAX = 100_000;

    private static final dev.coppice.wire.Call<Nothing, Empty> POST =
            dev.coppice.wire.Call.post(
                    "speak_mcp",
                    "/mcp",
                    Nothing.class,
                    Empty.class,
                    "The Model Context Protocol: tools to start, watch, stop and delete sessions");
    private static final dev.coppice.wire.Call<Nothing, Stream> GET =
            dev.coppice.wire.Call.get(
                    "follow_mcp_session",
                    "/mcp",
                    Nothing.class,
                    Stream.class,
                    "The messages to a session of the Model Context Protocol, live");
    private static final dev.coppice.wire.Call<Nothing, Empty> DELETE =
            dev.coppice.wire.Call.get(
                            "end_mcp_session",
                            "/mcp",
                            Nothing.class,
                            Empty.class,
                            "End a session of the Model Context Protocol; agents' sessions stay")
                    .by(Method.DELETE);

    private final ClientSessions sessions = new ClientSessions();
    private final Methods methods;
    private final Need need;

    McpRoutes(Offer offer, Examples.@Nullable Maker examples) {
        this.methods = new Methods(offer, sessions, examples);
        // The suite for which there are examples sends no token.
        this.need = examples == null ? Need.READ : Need.NOTHING;
    }

    @Override
    public List<Route> routes() {
        var routes = new ArrayList<Route>();
        routes.add(new Route(POST, need, this::post));
        routes.add(new Route(GET, need, this::get));
        routes.add(new Route(DELETE, need, this::delete));
        routes.addAll(MetadataRoutes.all());
        return routes;
    }

    private Reply post(Exchange x) {
        JsonNode id = null;
        try {
            var message = message(x);
            id = message.get("id");
            // The later era has no sessions, and ignores the header.
            var session = Call.isStateless(x, message.path("params")) ? null : session(x);
            var method = Json.text(message, "method");
            if (method == null || id == null) {
                // A notification, or the answer to a question; neither expects an answer.
                if (session != null) told(session, method, message);
                return new Reply.Nothing(202);
            }
            if (!id.isString() && !id.isNumber()) {
                id = null;
                throw new BrokenCall(400, -32600, "the id must be a string or a number");
            }
            return methods.answer(x, Call.of(x, message, id, method, session));
        } catch (BrokenCall e) {
            return Replies.broken(e, id);
        } catch (Json.Unreadable e) {
            var broken = new BrokenCall(400, -32600, String.valueOf(e.getMessage()));
            return Replies.broken(broken, id);
        } catch (Rejected e) {
            return Replies.broken(Methods.refused(e.refusal()), id);
        }
    }

    private static JsonNode message(Exchange x) throws BrokenCall {
        JsonNode message;
        try {
            message = Json.read(x.request().body());
        } catch (Json.Unreadable e) {
            throw new BrokenCall(400, -32700, "not JSON: " + e.getMessage());
        }
        if (count(message, VALUES_MAX) > VALUES_MAX) {
            throw new BrokenCall(
                    400, -32600, "a message has at most %d values".formatted(VALUES_MAX));
        }
        if (!message.isObject() || !"2.0".equals(Json.text(message, "jsonrpc"))) {
            throw new BrokenCall(400, -32600, "not one JSON-RPC 2.0 message");
        }
        return message;
    }

    /** Counts the values of a message, which take much more memory than their text. */
    private static int count(JsonNode value, int max) {
        int all = 1;
        for (var inner : value) {
            all += count(inner, max - all);
            if (all > max) return all;
        }
        return all;
    }

    /** The session that a request belongs to; null if it names none. */
    private @Nullable ClientSession session(Exchange x) throws BrokenCall {
        var id = x.header(McpHeaders.SESSION);
        return id == null ? null : sessions.find(id, x.caller());
    }

    private static void told(ClientSession session, @Nullable String method, JsonNode message) {
        if (method == null) {
            session.answered(message);
        } else if (method.equals("notifications/cancelled")) {
            var call = message.path("params").get("requestId");
            if (call != null) session.cancel(call);
        }
    }

    private Reply get(Exchange x) {
        return ofSession(
                x,
                session -> {
                    var last = x.header("Last-Event-ID");
                    if (last == null)
                        return methods.listening().stream(
                                session, session.own(), Outbox.WHERE_IT_WAS);
                    var resumed =
                            session.resumed(last)
                                    .orElseThrow(() ->
                                            new BrokenCall(
                                                    400,
                                                    -32600,
                                                    "the stream of event %s is not there any more"
                                                            .formatted(last)));
                    return methods.listening().stream(session, resumed.out(), resumed.after());
                });
    }

    private Reply delete(Exchange x) {
        return ofSession(
                x,
                session -> {
                    sessions.end(session);
                    return new Reply.Nothing(204);
                });
    }

    private interface OfSession {
        Reply reply(ClientSession session) throws BrokenCall;
    }

    private Reply ofSession(Exchange x, OfSession action) {
        try {
            var session = session(x);
            if (session != null) return action.reply(session);
            var why = "only a session has a stream of its own and an end; use POST";
            throw new BrokenCall(405, new Fault(-32600, why, null), Map.of("Allow", "POST"));
        } catch (BrokenCall e) {
            return Replies.broken(e, null);
        }
    }

    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public int sweepSessions() {
        return methods.sweep();
    }

    @Override
    public void close() {
        methods.close();
        sessions.close();
    }
}
