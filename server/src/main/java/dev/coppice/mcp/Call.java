package dev.coppice.mcp;

import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** One request of a client, read as far as the protocol goes. */
record Call(JsonNode id, String method, JsonNode params, Era era) {

    /** A client is asked again by what it sent: nothing is remembered of it in either era. */
    enum Era {
        /** Until 2025-11-25: it begins with {@code initialize}. */
        SESSIONS,
        /** 2026-07-28: each request says all there is to know. */
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

    /** What the client calls the progress of this request; nothing when it does not care. */
    @Nullable JsonNode progressToken() {
        var token = params.path("_meta").get("progressToken");
        return token != null && (token.isString() || token.isNumber()) ? token : null;
    }

    Messages.Answer answer(Object result) {
        return new Messages.Answer(id, result);
    }

    /** What the protocol itself does not allow; what a tool does not do is a result. */
    static final class Broken extends Exception {
        private static final long serialVersionUID = 1;
        private final int status;
        private final int code;
        private final transient Messages.@Nullable Unsupported data;

        Broken(int status, int code, String message) {
            this(status, code, message, null);
        }

        Broken(int status, int code, String message, Messages.@Nullable Unsupported data) {
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
