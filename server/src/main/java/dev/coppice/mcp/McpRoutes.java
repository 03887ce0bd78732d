package dev.coppice.mcp;

import dev.coppice.access.Need;
import dev.coppice.web.Exchange;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.web.Switchboard;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Set;

/**
 * The one address for clients of the Model Context Protocol, of both eras. Nothing is kept between
 * requests: there is no session to lose, and any coordinator answers any of them.
 */
public final class McpRoutes {
    private static final long TOOLS_FRESH_MILLIS = 300_000;
    private static final String INSTRUCTIONS =
            "Sessions form trees. delete_session takes a session away with everything below it;"
                    + " look with get_delete_plan first, and put it back with undo_deletion.";
    private static final Set<String> OF_SESSIONS_ONLY = Set.of("initialize", "ping");

    private final Tools tools;
    private final String version;

    public McpRoutes(Switchboard switchboard, String version) {
        this.tools = new Tools(switchboard);
        this.version = version;
    }

    public List<Route> routes() {
        return List.of(
                Route.post(
                        "/mcp",
                        Need.READ,
                        "The Model Context Protocol: tools to delete sessions and to undo that",
                        this::post));
    }

    private Reply post(Exchange x) {
        JsonNode id = null;
        try {
            var message = message(x);
            var method = Json.text(message, "method");
            id = message.get("id");
            // What expects no answer gets none: notifications, and answers to what nobody asked.
            if (method == null || id == null) return new Reply.Nothing(202);
            if (!id.isString() && !id.isNumber()) {
                id = null;
                throw new Call.Broken(400, -32600, "the id must be a string or a number");
            }
            return answer(x, Call.of(x, message, id, method));
        } catch (Call.Broken e) {
            return new Reply.Body(e.status(), e.answer(id));
        } catch (Json.Unreadable e) {
            var broken = new Call.Broken(400, -32600, String.valueOf(e.getMessage()));
            return new Reply.Body(broken.status(), broken.answer(id));
        }
    }

    private static JsonNode message(Exchange x) throws Call.Broken {
        JsonNode message;
        try {
            message = Json.read(x.request().body());
        } catch (Json.Unreadable e) {
            throw new Call.Broken(400, -32700, "not JSON: " + e.getMessage());
        }
        if (!message.isObject() || !"2.0".equals(Json.text(message, "jsonrpc"))) {
            throw new Call.Broken(400, -32600, "not one JSON-RPC 2.0 message");
        }
        return message;
    }

    private Reply answer(Exchange x, Call call) throws Call.Broken {
        boolean stateless = call.era() == Call.Era.STATELESS;
        if (stateless && OF_SESSIONS_ONLY.contains(call.method())) throw unknown(call);
        return switch (call.method()) {
            case "initialize" -> Reply.ok(call.answer(initialized(call)));
            case "ping" -> Reply.ok(call.answer(Json.object()));
            case "server/discover" -> {
                if (!stateless) throw unknown(call);
                yield Reply.ok(call.answer(complete(discovered())));
            }
            case "tools/list" -> {
                var listed = tools.list();
                yield Reply.ok(call.answer(stateless ? complete(fresh(listed)) : listed));
            }
            case "tools/call" ->
                    tools.call(x, call, result -> stateless ? complete(result) : result);
            default -> throw unknown(call);
        };
    }

    private static Call.Broken unknown(Call call) {
        int status = call.era() == Call.Era.STATELESS ? 404 : 200;
        return new Call.Broken(status, -32601, "there is no method " + call.method());
    }

    private ObjectNode initialized(Call call) {
        var asked = Json.text(call.params(), "protocolVersion");
        var result = Json.object().put("protocolVersion", Versions.agreed(asked));
        result.putObject("capabilities").putObject("tools");
        result.set("serverInfo", server());
        return result.put("instructions", INSTRUCTIONS);
    }

    private static ObjectNode discovered() {
        var result = Json.object();
        result.set("supportedVersions", Json.tree(Versions.ALL));
        result.putObject("capabilities").putObject("tools");
        return fresh(result.put("instructions", INSTRUCTIONS));
    }

    private static ObjectNode fresh(ObjectNode result) {
        return result.put("ttlMs", TOOLS_FRESH_MILLIS).put("cacheScope", "private");
    }

    private ObjectNode complete(ObjectNode result) {
        result.put("resultType", "complete");
        result.putObject("_meta").set(Call.META + "serverInfo", server());
        return result;
    }

    private ObjectNode server() {
        return Json.object().put("name", "coppice").put("title", "Coppice").put("version", version);
    }
}
