package dev.coppice.web;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Tells browsers that pages of the named origins may call. Every request carries its token itself,
 * so no cookie is ever allowed.
 */
record Cors(OriginCheck originCheck, boolean isHookServer) {
    private static final String METHODS = "GET, POST, PUT, PATCH, DELETE, OPTIONS";
    private static final String HEADERS =
            "Authorization, Content-Type, Accept, Last-Event-ID, Idempotency-Key,"
                    + " X-Agent-Session-Id, X-Agent-Session-Name, MCP-Protocol-Version,"
                    + " Mcp-Session-Id, Mcp-Method, Mcp-Name";

    /** The headers that the hook server allows. Its pages send no others. */
    private static final String HOOK_HEADERS = "Content-Type";

    private static final String HOOK_METHODS = "GET, POST, PUT, DELETE, OPTIONS";
    private static final String CACHE_SECONDS = "600";

    /** True if a browser asks before it sends the real request, which it does without a token. */
    boolean isPreflight(String method, HttpFields request) {
        if (isHookServer) return method.equals("OPTIONS");
        return method.equals("OPTIONS")
                && originCheck.isNamed(request.get(HttpHeader.ORIGIN))
                && request.contains("Access-Control-Request-Method");
    }

    void allow(HttpFields request, HttpFields.Mutable response) {
        var origin = request.get(HttpHeader.ORIGIN);
        if (isHookServer && (origin == null || originCheck.isNamed(origin))) {
            response.put("Access-Control-Allow-Origin", "*");
            response.put("Access-Control-Allow-Methods", HOOK_METHODS);
            response.put("Access-Control-Allow-Headers", HOOK_HEADERS);
            return;
        }
        if (origin == null || !originCheck.isNamed(origin)) return;
        response.put("Access-Control-Allow-Origin", origin);
        response.put(HttpHeader.VARY, "Origin");
        response.put("Access-Control-Allow-Methods", METHODS);
        response.put("Access-Control-Allow-Headers", HEADERS);
        response.put("Access-Control-Max-Age", CACHE_SECONDS);
    }
}
