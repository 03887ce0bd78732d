package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.concurrent.CompletableFuture;

/** A runner on a host of its own, with a directory that has unsaved work in it. */
final class WorkingRunner implements AutoCloseable {
    private final Caller server;
    private final String id;
    private final String name;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile @Nullable String trouble;
    private volatile boolean uploads;
    private volatile boolean preserved;

    WorkingRunner(Caller server, String name) {
        this.server = server;
        this.name = name;
        var registered =
                server.post(
                        "/runner/register",
                        "{\"hostname\":\"%1$s\",\"project_dir\":\"/\",\"executor_profile\":\"%1$s\",\"protocol\":\"coppice/1\",\"holds\":[]}"
                                .formatted(name));
        this.id = String.valueOf(text(registered, "runner_id"));
    }

    String worked() {
        var started =
                server.post(
                        "/runs",
                        "{\"session_id\":\"%1$s\",\"session_name\":\"%1$s\",\"prompt\":\"x\",\"additional_demands\":{\"executor_profile\":\"%1$s\"}}"
                                .formatted(name));
        var run = server.get("/runner/runs?runner_id=" + id).get("run");
        var report =
                Json.object()
                        .put("runner_id", id)
                        .put("fence", run.get("fence").asLong())
                        .put("result_text", "done");
        report.putObject("workplace")
                .put("directory", "/repo")
                .put("made", false)
                .put("outputs", "/runs");
        var path = "/runner/runs/" + text(started, "run_id") + "/";
        server.post(path + "started", report.toString());
        server.post(path + "completed", report.toString());
        Thread.ofVirtual().start(this::answer);
        return name;
    }

    void breaks(@Nullable String how) {
        trouble = how;
    }

    /** From now on it uploads a file before it reports. */
    void uploads() {
        uploads = true;
    }

    boolean preserved() {
        return preserved;
    }

    private void answer() {
        while (!ended.isDone()) {
            var tasks = server.client().get("/runner/runs?runner_id=" + id).body().get("tasks");
            if (tasks == null) continue;
            for (var task : tasks) answer(task);
        }
    }

    private void answer(JsonNode task) {
        boolean look = "inspect".equals(text(task, "kind"));
        var body = Json.object().put("runner_id", id);
        var failure = look ? null : failure(task);
        if (failure != null) body.put("error", failure);
        else {
            preserved = preserved || !look;
            body.putArray("items")
                    .addObject()
                    .put("directory", "/repo")
                    .put("kind", "git")
                    .put("uncommitted", 1)
                    .put("fingerprint", "f");
        }
        server.client().post("/runner/tasks/" + text(task, "task_id") + "/done", body);
    }

    private @Nullable String failure(JsonNode task) {
        if (trouble != null || !uploads) return trouble;
        var part = Json.object().put("file", "work.tar").put("offset", 0).put("data", "eA==");
        var path = "/runner/tasks/" + text(task, "task_id") + "/part";
        var answer = server.client().post(path, part);
        return answer.isGood() ? null : answer.error();
    }

    @Override
    public void close() {
        ended.complete(null);
    }
}
