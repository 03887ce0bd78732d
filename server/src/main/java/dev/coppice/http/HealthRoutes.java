package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.function.Supplier;

/** Whether the coordinator is here, and what it is. */
public final class HealthRoutes {
    private final String version;
    private final Supplier<List<String>> problems;

    /** {@code problems} says what stands still, and never waits long for it. */
    public HealthRoutes(String version, Supplier<List<String>> problems) {
        this.version = version;
        this.problems = problems;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(
                        "/health",
                        Need.NOTHING,
                        "Whether the coordinator can do its work, and what keeps it",
                        _ -> {
                            var found = problems.get();
                            boolean ready = found.isEmpty();
                            var body = body(ready ? "healthy" : "unhealthy");
                            body.put("ready", ready).set("problems", Json.tree(found));
                            return new Reply.Body(ready ? 200 : 503, body);
                        }),
                Route.get(
                        "/health/live",
                        Need.NOTHING,
                        "Whether the process answers at all, whatever its database does",
                        _ -> Reply.ok(body("live"))));
    }

    private ObjectNode body(String status) {
        return Json.object()
                .put("status", status)
                .put("live", true)
                .put("service", "coppice")
                .put("version", version);
    }
}
