package dev.coppice.mcp.call;

import dev.coppice.mcp.message.Envelopes.Answer;
import dev.coppice.mcp.message.Envelopes.Failure;
import dev.coppice.mcp.message.Envelopes.Fault;
import dev.coppice.mcp.message.Envelopes.Meta;
import dev.coppice.mcp.message.Envelopes.MissingCapability;
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
            throws Broken {
        var params = message.has("params") ? message.get("params") : Json.object();
        if (!params.isObject()) throw new Broken(400, -32602, "params must be an object");
        if (isLong(id) || isLong(params.path("_meta").path("progressToken"))) {
            throw new Broken(
                    400,
                    -32600,
                    "an id or a progressToken has at most %d characters".formatted(ID_CHARS_MAX));
        }
        var client = session == null ? client(x, params) : session.client();
        var call = new Call(id, method, params, client, session);
        if (client.isStateless()) Versions.checkStateless(x, call);
        else Versions.checkSessions(x, call);
        return call;
    }

    /** Answers repeat ids and tokens, also those of calls that take long. */
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

    /** A violation of the protocol. The refusal of a tool is a result instead. */
    public static final class Broken extends Exception {
        private static final long serialVersionUID = 1;
        private static final int MISSING_CAPABILITY = -32021;
        private final int status;
        private final transient Fault fault;
        private final transient Map<String, String> headers;

        public Broken(int status, int code, String message) {
            this(status, code, message, null);
        }

        public Broken(int status, int code, String message, @Nullable Object data) {
            this(status, new Fault(code, message, data), Map.of());
        }

        public Broken(int status, Fault fault, Map<String, String> headers) {
            super(fault.message());
            this.status = status;
            this.fault = fault;
            this.headers = Map.copyOf(headers);
        }

        public static Broken missing(Client client, String capability) {
            return missing(client, capability, Map.of(capability, Map.of()));
        }

        public static Broken missingExtension(Client client, String extension) {
            return missing(client, extension, Map.of("extensions", Map.of(extension, Map.of())));
        }

        private static Broken missing(Client client, String what, Map<String, Object> required) {
            return new Broken(
                    client.isStateless() ? 400 : 200,
                    MISSING_CAPABILITY,
                    "this request needs the capability %s, which the client has not declared"
                            .formatted(what),
                    new MissingCapability(required));
        }

        public int status() {
            return status;
        }

        public Fault fault() {
            return fault;
        }

        public Map<String, String> headers() {
            return headers;
        }

        public Failure answer(@Nullable JsonNode id) {
            return new Failure(id, fault);
        }
    }
}
