package dev.coppice.mcp;

import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A client's request, checked against the protocol. */
record Call(JsonNode id, String method, JsonNode params, Era era) {

    /** The era of the protocol that a request shows. Nothing is stored about its client. */
    enum Era {
        /** Up to 2025-11-25: a client begins with {@code initialize}. */
        SESSIONS,
        /** 2026-07-28: each request is self-contained. */
        STATELESS
    }

    static final String META = "io.modelcontextprotocol/";

    static Call of(Exchange x, JsonNode message, JsonNode id, String method) throws Broken {
        var params = message.has("params") ? message.get("params") : Json.object();
        if (!params.isObject()) throw new Broken(400, -32602, "params must be an object");
        var meta = params.path("_meta");
        boolean stateless =
                meta.has(META + "protocolVersion")
                        || x.header("Mcp-Method") != null
                        || Versions.STATELESS.equals(x.header(Versions.HEADER));
        var call = new Call(id, method, params, stateless ? Era.STATELESS : Era.SESSIONS);
        if (stateless) Versions.checkStateless(x, call);
        else Versions.checkSessions(x, call);
        return call;
    }

    /** The token for progress messages; null if the client wants none. */
    @Nullable JsonNode progressToken() {
        var token = params.path("_meta").get("progressToken");
        return token != null && (token.isString() || token.isNumber()) ? token : null;
    }

    Messages.Answer answer(Object result) {
        return new Messages.Answer(id, result);
    }

    /** A violation of the protocol. The refusal of a tool is a result instead. */
    static final class Broken extends Exception {
        private static final long serialVersionUID = 1;
        private final int status;
        private final int code;
        private final transient @Nullable Object data;

        Broken(int status, int code, String message) {
            this(status, code, message, null);
        }

        Broken(int status, int code, String message, @Nullable Object data) {
            super(message);
            this.status = status;
            this.code = code;
            this.data = data;
        }

        int status() {
            return status;
        }

        Messages.Failure answer(@Nullable JsonNode id) {
            var message = String.valueOf(getMessage());
            return new Messages.Failure(id, new Messages.Fault(code, message, data));
        }
    }
}
