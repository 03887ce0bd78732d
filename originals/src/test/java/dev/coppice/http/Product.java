package dev.coppice.http;

import dev.coppice.boot.Face;
import dev.coppice.mcp.McpFace;
import dev.coppice.originals.Originals;
import dev.coppice.telemetry.TelemetryFace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
        var faces = new ArrayList<>(Originals.faces());
        faces.add(McpFace::on);
        faces.add(TelemetryFace::on);
        return faces;
    }
}
