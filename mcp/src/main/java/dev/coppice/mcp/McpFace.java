package dev.coppice.mcp;

import dev.coppice.boot.Endpoint;
import dev.coppice.boot.Face;
import dev.coppice.boot.Ground;
import dev.coppice.boot.Offer;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** The Model Context Protocol, as a face of the server. */
public final class McpFace implements Face {
    private final Examples.@Nullable Maker examples;

    private McpFace(Examples.@Nullable Maker examples) {
        this.examples = examples;
    }

    public static Face on(Ground ground) {
        return new McpFace(null);
    }

    /** Also serves examples, and asks for no token. */
    public static Face.Maker with(Examples.Maker examples) {
        return _ -> new McpFace(examples);
    }

    @Override
    public Optional<Endpoint> endpoint(Offer offer) {
        return Optional.of(new McpRoutes(offer, examples));
    }
}
