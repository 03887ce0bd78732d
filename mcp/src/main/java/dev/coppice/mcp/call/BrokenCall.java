package dev.coppice.mcp.call;

import dev.coppice.mcp.message.Envelopes.Failure;
import dev.coppice.mcp.message.Envelopes.Fault;
import dev.coppice.mcp.message.Envelopes.MissingCapability;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** A violation of the protocol. The refusal of a tool is a result instead. */
public final class BrokenCall extends Exception {
    private static final long serialVersionUID = 1;
    private static final int MISSING_CAPABILITY = -32021;
    private final int status;
    private final transient Fault fault;
    private final transient Map<String, String> headers;

    public BrokenCall(int status, int code, String message) {
        this(status, code, message, null);
    }

    public BrokenCall(int status, int code, String message, @Nullable Object data) {
        this(status, new Fault(code, message, data), Map.of());
    }

    public BrokenCall(int status, Fault fault, Map<String, String> headers) {
        super(fault.message());
        this.status = status;
        this.fault = fault;
        this.headers = Map.copyOf(headers);
    }

    public static BrokenCall missing(Client client, String capability) {
        return missing(client, capability, Map.of(capability, Map.of()));
    }

    public static BrokenCall missingExtension(Client client, String extension) {
        return missing(client, extension, Map.of("extensions", Map.of(extension, Map.of())));
    }

    private static BrokenCall missing(Client client, String what, Map<String, Object> required) {
        return new BrokenCall(
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
