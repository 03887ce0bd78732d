package dev.coppice.bench;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.RegisterRequest;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A runner that starts nothing: it takes runs, says that they have begun, and ends them at once or
 * when they are stopped. What is measured with it is the coordinator alone.
 */
final class Player implements AutoCloseable {
    private final CoppiceClient client;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Long> held = new ConcurrentHashMap<>();
    private final Ends ends;
    private final String id;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile boolean open = true;

    /** When its runs end. */
    enum Ends {
        AT_ONCE,
        WHEN_STOPPED
    }

    Player(Server server, String name, Ends ends) {
        this.ends = ends;
        var token = server.coordinator().tokens().issue(Caller.as(Role.RUNNER));
        this.client = new CoppiceClient(URI.create(server.coordinator().url()), token);
        var request =
                Json.object()
                        .put("hostname", "bench")
                        .put("project_dir", "/")
                        .put("executor_profile", name)
                        .put("protocol", RegisterRequest.PROTOCOL)
                        .put("capacity", 10_000);
        this.id = String.valueOf(Json.text(good("/runner/register", request), "runner_id"));
        threads.execute(this::poll);
        threads.execute(this::beat);
    }

    private JsonNode good(String path, Object body) {
        var answer = client.post(path, body);
        if (!answer.isGood()) throw new IllegalStateException(path + ": " + answer.error());
        return answer.body();
    }

    private void poll() {
        while (open) {
            try {
                var answer = client.get("/runner/runs?runner_id=" + id);
                if (!answer.isGood()) return;
                var run = answer.body().get("run");
                if (run != null) begin(run);
                var stops = answer.body().get("stops");
                if (stops != null) {
                    for (var stop : stops) threads.execute(() -> stopped(stop));
                }
            } catch (CoppiceClient.Unreachable _) {
                return;
            }
        }
    }

    private void begin(JsonNode run) {
        var runId = String.valueOf(Json.text(run, "run_id"));
        long fence = run.get("fence").asLong();
        good("/runner/runs/" + runId + "/started", said(fence));
        if (ends == Ends.AT_ONCE) {
            good("/runner/runs/" + runId + "/completed", said(fence).put("result_text", "done"));
        } else {
            held.put(runId, fence);
        }
    }

    private tools.jackson.databind.node.ObjectNode said(long fence) {
        return Json.object().put("runner_id", id).put("fence", fence);
    }

    private void stopped(JsonNode stop) {
        var runId = String.valueOf(Json.text(stop, "run_id"));
        var fence = held.remove(runId);
        if (fence == null) return;
        good("/runner/runs/" + runId + "/stopped", said(fence).put("signal", "SIGTERM"));
    }

    private void beat() {
        try {
            while (open) {
                if (closing.await(5, TimeUnit.SECONDS)) return;
                var beat = Json.object().put("runner_id", id);
                var runs = beat.putArray("runs");
                held.forEach((run, fence) ->
                        runs.add(Json.object().put("run_id", run).put("fence", fence)));
                good("/runner/heartbeat", beat);
            }
        } catch (InterruptedException | RuntimeException _) {
            // The benchmark is over, and the coordinator with it.
        }
    }

    int held() {
        return held.size();
    }

    @Override
    public void close() {
        open = false;
        closing.countDown();
        threads.shutdownNow();
    }
}
