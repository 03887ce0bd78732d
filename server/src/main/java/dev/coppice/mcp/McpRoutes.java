package dev.coppice.mcp;

import dev.coppice.access.Need;
import dev.coppice.operation.Context;
import dev.coppice.operation.Operation;
import dev.coppice.operation.Reply;
import dev.coppice.operations.SessionOperations;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.web.Exchange;
import dev.coppice.web.RoleCheck;
import dev.coppice.web.Route;
import dev.coppice.wire.Call.Empty;
import dev.coppice.wire.Call.Nothing;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The endpoint for clients of the Model Context Protocol, of both eras. It stores nothing between
 * requests, so any coordinator can answer any of them.
 */
public final class McpRoutes {
    private static final long TOOLS_FRESH_MILLIS = 300_000;
    private static final String INSTRUCTIONS =
            "Sessions of agents form trees. start_agent_session starts one, below yours if you are"
                    + " an agent; get_agent_session_result reads what it found, get_tree shows all"
                    + " of them. delete_session deletes a session and everything below it; call"
                    + " get_delete_plan first. undo_deletion restores the session.";
    private static final String COMPLETE = "complete";
    private static final Set<String> OF_SESSIONS_ONLY = Set.of("initialize", "ping");

    private static final dev.coppice.wire.Call<Nothing, Empty> POST =
            dev.coppice.wire.Call.post(
                    "speak_mcp",
                    "/mcp",
                    Nothing.class,
                    Empty.class,
                    "The Model Context Protocol: tools to start, watch, stop and delete sessions");

    private static final long SESSIONS_FRESH_MILLIS = 1_000;

    private final Tools tools;
    private final Resources resources;
    private final Messages.Server server;

    public McpRoutes(
            RemovalOperations removals,
            SessionOperations sessions,
            List<Operation<?, ?>> operations,
            RoleCheck roles,
            String version) {
        var all = new ArrayList<Tool<?, ?>>();
        all.addAll(DeletionTools.of(removals.deletion(), removals.undoing()));
        all.addAll(OperationTools.of(operations));
        this.tools = new Tools(all, sessions.finding(), roles);
        this.resources = new Resources(operations, roles);
        this.server = new Messages.Server("coppice", "Coppice", version);
    }

    public Route route() {
        return new Route(POST, Need.READ, this::post);
    }

    private Reply post(Exchange x) {
        JsonNode id = null;
        try {
            var message = message(x);
            var method = Json.text(message, "method");
            id = message.get("id");
            // Notifications and stray responses expect no answer.
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
            case "ping" -> Reply.ok(call.answer(Map.of()));
            case "server/discover" -> {
                if (!stateless) throw unknown(call);
                yield Reply.ok(call.answer(discovered()));
            }
            case "tools/list" -> Reply.ok(call.answer(stateless ? freshList() : list()));
            case "tools/call" ->
                    tools.call(x, call, result -> stateless ? complete(result) : result);
            case "prompts/list" -> cached(call, Prompts.list(), TOOLS_FRESH_MILLIS);
            case "prompts/get" -> whole(call, Prompts.get(call.params()));
            case "resources/templates/list" -> cached(call, resources.forms(), TOOLS_FRESH_MILLIS);
            case "resources/list" ->
                    cached(call, resources.list(context(x), call.params()), SESSIONS_FRESH_MILLIS);
            case "resources/read" ->
                    cached(call, resources.read(context(x), call), SESSIONS_FRESH_MILLIS);
            case "completion/complete" ->
                    whole(call, resources.complete(context(x), call.params()));
            default -> throw unknown(call);
        };
    }

    private static Context context(Exchange x) {
        return x.context(Result.ADVICE);
    }

    /** A result that clients of the later era may keep for a time. */
    private Reply cached(Call call, Object result, long millis) {
        return whole(call, result, millis, "private");
    }

    private Reply whole(Call call, Object result) {
        return whole(call, result, null, null);
    }

    private Reply whole(
            Call call, Object result, @Nullable Long fresh, @Nullable String cacheScope) {
        if (call.era() == Call.Era.SESSIONS) return Reply.ok(call.answer(result));
        var meta = new Messages.Meta(server);
        return Reply.ok(call.answer(new Messages.Whole(result, fresh, cacheScope, COMPLETE, meta)));
    }

    private static Call.Broken unknown(Call call) {
        int status = call.era() == Call.Era.STATELESS ? 404 : 200;
        return new Call.Broken(status, -32601, "there is no method " + call.method());
    }

    private Messages.Initialized initialized(Call call) {
        var asked = Json.text(call.params(), "protocolVersion");
        return new Messages.Initialized(
                Versions.agreed(asked), Messages.Capabilities.ALL, server, INSTRUCTIONS);
    }

    private Messages.Discovered discovered() {
        return new Messages.Discovered(
                Versions.ALL,
                Messages.Capabilities.ALL,
                INSTRUCTIONS,
                TOOLS_FRESH_MILLIS,
                "private",
                COMPLETE,
                new Messages.Meta(server));
    }

    private Messages.ToolList list() {
        return new Messages.ToolList(tools.list(), null, null, null, null);
    }

    private Messages.ToolList freshList() {
        return new Messages.ToolList(
                tools.list(), TOOLS_FRESH_MILLIS, "private", COMPLETE, new Messages.Meta(server));
    }

    private Messages.ToolResult complete(Messages.ToolResult result) {
        return new Messages.ToolResult(
                result.content(),
                result.isError(),
                result.structuredContent(),
                COMPLETE,
                new Messages.Meta(server));
    }
}
