package dev.coppice.mcp.call;

import dev.coppice.mcp.message.Envelopes.Answer;
import dev.coppice.mcp.message.Envelopes.Meta;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;
import dev.coppice.wire.McpHeaders;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** A client's request, checked against the protocol. */
public record Call(
        JsonNode id,
        String method,
        JsonNode params,
        Client client,
        @Nullable ClientSession session) {
    private static final int ID_CHARS_MAX = 256;

    public static Call of(
            Exchange x,
            JsonNode message,
            JsonNode id,
            String method,
            @Nullable ClientSession session)
            throws BrokenCall {
        var params = message.has("params") ? message.get("params") : Json.object();
        if (!params.isObject()) throw new BrokenCall(400, -32602, "params must be an object");
        if (isLong(id) || isLong(params.path("_meta").path("progressToken"))) {
            throw new BrokenCall(
                    400,
                    -32600,
                    "an id or a progressToken has at most %d characters".formatted(ID_CHARS_MAX));
        }
        var client = session == null ? client(x, params) : session.client();
        if (client.isStateless()) Versions.checkStateless(x, method, params);
        else Versions.checkSessions(x, method);
        return new Call(id, method, params, client, session);
    }

    /** True if an id or a token is too long: a call holds it until its answer repeats it. */
    private static boolean isLong(JsonNode id) {
        return id.isValueNode() && id.asString().length() > ID_CHARS_MAX;
    }

    /** True if a request shows the later era. */
    public static boolean isStateless(Exchange x, JsonNode params) {
        var version = x.header(McpHeaders.VERSION);
        return params.path("_meta").has(Meta.PREFIX + "protocolVersion")
                || Versions.STATELESS.equals(version)
                || (version == null && x.header(McpHeaders.METHOD) != null);
    }

    private static Client client(Exchange x, JsonNode params) {
        var meta = params.path("_meta");
        if (!isStateless(x, params)) {
            var version = x.header(McpHeaders.VERSION);
            return new Client(
                    Era.SESSIONS,
                    version == null ? Versions.LAST_OF_SESSIONS : version,
                    Abilities.NONE,
                    null,
                    x.caller());
        }
        return new Client(
                Era.STATELESS,
                Versions.STATELESS,
                Abilities.of(meta.path(Meta.PREFIX + "clientCapabilities")),
                level(Json.text(meta, Meta.PREFIX + "logLevel")),
                x.caller());
    }

    private static @Nullable String level(@Nullable String sent) {
        return sent != null && Client.LOG_LEVELS.contains(sent) ? sent : null;
    }

    /** The call without its parameters, for work that takes long: they may be large. */
    Call lightened() {
        var meta = params.path("_meta").path("progressToken");
        var rest = Json.tree(Map.of("_meta", Map.of("progressToken", meta)));
        return new Call(id, method, meta.isMissingNode() ? Json.object() : rest, client, session);
    }

    /** The token for progress messages; null if the client wants none. */
    @Nullable JsonNode progressToken() {
        var token = params.path("_meta").get("progressToken");
        return token != null && (token.isString() || token.isNumber()) ? token : null;
    }

    public Answer answer(Object result) {
        return new Answer(id, result);
    }
}
