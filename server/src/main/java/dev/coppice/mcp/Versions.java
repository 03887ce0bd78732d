package dev.coppice.mcp;

import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The supported versions of the protocol, and the headers that each requires. */
final class Versions {
    static final String HEADER = "MCP-Protocol-Version";
    static final String STATELESS = "2026-07-28";
    static final String LAST_OF_SESSIONS = "2025-11-25";

    /** Newest first. */
    static final List<String> ALL = List.of(STATELESS, LAST_OF_SESSIONS, "2025-06-18");

    /** The parameter that the header {@code Mcp-Name} repeats, by method. */
    private static final Map<String, String> NAMES =
            Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");

    private static final int HEADER_MISMATCH = -32020;
    private static final int UNSUPPORTED = -32022;
    private static final String ENCODED = "=?base64?";

    private Versions() {}

    /** The requested version if supported, else the newest with {@code initialize}. */
    static String agreed(@Nullable String asked) {
        return asked != null && isOfSessions(asked) ? asked : LAST_OF_SESSIONS;
    }

    private static boolean isOfSessions(String version) {
        return ALL.contains(version) && !version.equals(STATELESS);
    }

    static void checkSessions(Exchange x, Call call) throws Call.Broken {
        var version = x.header(HEADER);
        if (version != null && !call.method().equals("initialize") && !isOfSessions(version)) {
            throw unsupported(version, ALL);
        }
    }

    /** Refuses headers that contradict the body: proxies trust them. */
    static void checkStateless(Exchange x, Call call) throws Call.Broken {
        var meta = call.params().path("_meta");
        var version = Json.text(meta, Call.META + "protocolVersion");
        if (version == null || !meta.path(Call.META + "clientCapabilities").isObject()) {
            throw new Call.Broken(
                    400,
                    -32602,
                    "params._meta must hold %sprotocolVersion and %sclientCapabilities"
                            .formatted(Call.META, Call.META));
        }
        if (!version.equals(STATELESS)) throw unsupported(version, List.of(STATELESS));
        same(x, HEADER, version);
        same(x, "Mcp-Method", call.method());
        var field = NAMES.get(call.method());
        var name = field == null ? null : Json.text(call.params(), field);
        if (name != null) same(x, "Mcp-Name", name);
    }

    private static void same(Exchange x, String header, String said) throws Call.Broken {
        var found = x.header(header);
        if (found == null || !decoded(found).equals(said)) {
            throw new Call.Broken(
                    400,
                    HEADER_MISMATCH,
                    "the header %s is %s, and the body says %s"
                            .formatted(header, found == null ? "missing" : found, said));
        }
    }

    private static String decoded(String value) {
        int end = value.length() - 2;
        if (!value.startsWith(ENCODED) || !value.endsWith("?=") || end < ENCODED.length()) {
            return value;
        }
        try {
            var inner = value.substring(ENCODED.length(), end);
            return new String(Base64.getDecoder().decode(inner), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return value;
        }
    }

    private static Call.Broken unsupported(String version, List<String> supported) {
        var data = new Messages.Unsupported(version, supported);
        return new Call.Broken(
                400, UNSUPPORTED, "protocol version %s is not supported".formatted(version), data);
    }
}
