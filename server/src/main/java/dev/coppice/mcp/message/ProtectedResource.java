package dev.coppice.mcp.message;

import java.util.List;

/** The metadata of RFC 9728: how a client authenticates. */
public record ProtectedResource(
        String resource,
        String resourceName,
        List<String> bearerMethodsSupported,
        List<String> scopesSupported) {}
