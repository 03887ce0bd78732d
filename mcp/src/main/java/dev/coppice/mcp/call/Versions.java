package dev.coppice.mcp.call;

import dev.coppice.mcp.message.Envelopes.Meta;
import dev.coppice.mcp.message.Envelopes.Unsupported;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;
import dev.coppice.wire.McpHeaders;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** The supported versions of the protocol, and the headers that each requires. */
public final class Versions {
    static final String STATELESS = "2026-07-28";
    static final String LAST_OF_SESSIONS = "2025-11-25";

    /** Newest first. */
    public static final List<String> ALL = List.of(STATELESS, LAST_OF_SESSIONS, "2025-06-18");

    private static final int HEADER_MISMATCH = -32020;
    private static final int UNSUPPORTED = -32022;

    private Versions() {}

    /** The requested version if supported, else the newest with {@code initialize}. */
    public static String agreed(@Nullable String asked) {
        return asked != null && isOfSessions(asked) ? asked : LAST_OF_SESSIONS;
    }

    private static boolean isOfSessions(String version) {
        return ALL.contains(version) && !version.equals(STATELESS);
    }

    static void checkSessions(Exchange x, String method) throws BrokenCall {
        var version = x.header(McpHeaders.VERSION);
        if (version != null && !method.equals("initialize") && !isOfSessions(version)) {
            throw unsupported(version, ALL);
        }
    }

    /** Refuses headers that contradict the body: proxies trust them. */
    static void checkStateless(Exchange x, String method, JsonNode params) throws BrokenCall {
        var meta = params.path("_meta");
        var version = Json.text(meta, Meta.PREFIX + "protocolVersion");
        if (version == null || !meta.path(Meta.PREFIX + "clientCapabilities").isObject()) {
            throw new BrokenCall(
                    400,
                    -32602,
                    "params._meta must hold %sprotocolVersion and %sclientCapabilities"
                            .formatted(Meta.PREFIX, Meta.PREFIX));
        }
        same(x, McpHeaders.VERSION, version);
        if (!version.equals(STATELESS)) throw unsupported(version, List.of(STATELESS));
        same(x, McpHeaders.METHOD, method);
        var field = McpHeaders.named(method);
        var name = field == null ? null : Json.text(params, field);
        if (name != null) same(x, McpHeaders.NAME, name);
    }

    /** Checks the header that repeats an argument. */
    public static void checkParam(Exchange x, String name, @Nullable JsonNode value)
            throws BrokenCall {
        var header = "Mcp-Param-" + name;
        if (value == null || value.isNull()) {
            if (x.header(header) != null) same(x, header, "");
        } else {
            same(x, header, value.asString());
        }
    }

    private static void same(Exchange x, String header, String said) throws BrokenCall {
        var found = x.header(header);
        if (found == null || !McpHeaders.decoded(found).equals(said)) {
            throw new BrokenCall(
                    400,
                    HEADER_MISMATCH,
                    "the header %s is %s, and the body says %s"
                            .formatted(header, found == null ? "missing" : found, said));
        }
    }

    private static BrokenCall unsupported(String version, List<String> supported) {
        var data = new Unsupported(version, supported);
        return new BrokenCall(
                400, UNSUPPORTED, "protocol version %s is not supported".formatted(version), data);
    }
}
