package dev.coppice.http;

import dev.coppice.boot.Face;
import dev.coppice.mcp.McpFace;
import dev.coppice.originals.Originals;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The whole product: the server with the faces of the other modules. */
final class Product {
    private Product() {}

    static Caller caller() {
        return caller(Map.of());
    }

    static Caller caller(Map<String, String> settings) {
        return new Caller(settings, faces());
    }

    static List<Face.Maker> faces() {
        return Stream.concat(Originals.faces().stream(), Stream.of(McpFace::on)).toList();
    }
}
