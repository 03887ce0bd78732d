package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import java.util.List;
import java.util.function.Supplier;

/** Whether the coordinator is here, and what it is. */
public final class HealthRoutes {
    private final String version;
    private final Supplier<Boolean> storeAnswers;

    public HealthRoutes(String version, Supplier<Boolean> storeAnswers) {
        this.version = version;
        this.storeAnswers = storeAnswers;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(
                        "/health",
                        Need.NOTHING,
                        "Whether the coordinator can do its work",
                        _ -> {
                            boolean well = storeAnswers.get();
                            var body =
                                    Json.object()
                                            .put("status", well ? "healthy" : "unhealthy")
                                            .put("service", "coppice")
                                            .put("version", version);
                            return new Reply.Body(well ? 200 : 503, body);
                        }));
    }
}
