package dev.coppice.web;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The token of a request and the path without it. A token is sent as a bearer; as the password of
 * Basic authentication, for programs that pass on {@code http://x:TOKEN@host}; or, for programs
 * that only have an address, in front of the path, {@code /t/TOKEN/…}, or in the query {@code
 * api_key}. {@link Doorway} decides which tokens may stand in an address.
 */
public record Credentials(@Nullable String token, Place place, String path) {
    private static final String PREFIX = "/t/";

    /** The random part of each token is longer. */
    private static final Pattern LONG_WORD = Pattern.compile("[\\w-]{40,}");

    /** The place of the token. Addresses, with their queries, are kept in logs and histories. */
    public enum Place {
        HIDDEN,
        ADDRESS
    }

    static Credentials of(Request request) {
        var path = request.getHttpURI().getPath();
        if (path != null && path.startsWith(PREFIX)) {
            int end = path.indexOf('/', PREFIX.length());
            var token = path.substring(PREFIX.length(), end < 0 ? path.length() : end);
            return new Credentials(token, Place.ADDRESS, end < 0 ? "/" : path.substring(end));
        }
        var shown = path == null ? "/" : path;
        var hidden = hidden(request);
        if (hidden != null) return new Credentials(hidden, Place.HIDDEN, shown);
        var query = Queries.of(request).getValue(Exchange.TOKEN_QUERY);
        return new Credentials(query, query == null ? Place.HIDDEN : Place.ADDRESS, shown);
    }

    /** The path for messages, cut off where a token begins. */
    static String shown(Request request) {
        var path = String.valueOf(request.getHttpURI().getPath());
        return path.startsWith(PREFIX) ? PREFIX + "..." : masked(path);
    }

    /** Hides what may be a token: it may stand in a path that only looks like one of a token. */
    static String masked(String path) {
        return LONG_WORD.matcher(path).replaceAll("...");
    }

    /** The headers that ask a caller for a valid token. */
    Map<String, String> challenge(Headers headers) {
        return challenge(headers, token == null ? "" : ", error=\"invalid_token\"");
    }

    Map<String, String> insufficient(Headers headers) {
        return challenge(headers, ", error=\"insufficient_scope\"");
    }

    /** MCP clients also learn where the metadata on authentication is. */
    private Map<String, String> challenge(Headers headers, String error) {
        var more =
                path.equals("/mcp")
                        ? ", scope=\"sessions:read\", resource_metadata=\"%s\""
                                .formatted(metadata(headers))
                        : "";
        return Map.of("WWW-Authenticate", "Bearer realm=\"coppice\"" + error + more);
    }

    /** The address of the metadata of RFC 9728. */
    public static String metadata(Headers headers) {
        return origin(headers) + "/.well-known/oauth-protected-resource/mcp";
    }

    /** The header in which the pipeline passes on how the caller reached us, whoever sent it. */
    static final String SCHEME = "X-Forwarded-Proto";

    /** The origin that the caller sees, possibly that of a proxy with TLS in front of us. */
    public static String origin(Headers headers) {
        return headers.value(SCHEME) + "://" + headers.value("Host");
    }

    /** The headers of a request. */
    public interface Headers {
        @Nullable String value(String name);
    }

    private static @Nullable String hidden(Request request) {
        var header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        if (header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return header.substring(7).strip();
        }
        if (header != null && header.regionMatches(true, 0, "Basic ", 0, 6)) {
            return password(header.substring(6).strip());
        }
        return null;
    }

    private static @Nullable String password(String encoded) {
        try {
            var pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            return pair.substring(pair.indexOf(':') + 1);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
