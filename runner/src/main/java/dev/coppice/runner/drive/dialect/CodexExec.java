package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Codex by {@code codex exec --json}, for programs without an app-server. It reads its prompt from
 * its input and nothing more, so a stop is a signal.
 */
final class CodexExec implements Dialect {
    private final Order order;
    private final @Nullable String before;
    private final Pen pen;
    private final Upstream up;
    private final CodexItems items;
    private final Unknown unknown;
    private final CodexUsage usage = new CodexUsage();
    private boolean hasBegun;
    private boolean hasLost;
    private boolean isDone;
    private String failure = "";

    CodexExec(Order order, @Nullable String before, Pen pen, Upstream up) {
        this.order = order;
        this.before = before;
        this.pen = pen;
        this.up = up;
        this.items = new CodexItems(up);
        this.unknown = new Unknown("codex exec", up);
    }

    @Override
    public List<String> command() {
        var words = new ArrayList<>(order.program());
        words.add("exec");
        if (before != null) words.addAll(List.of("resume", before));
        words.addAll(List.of("--json", "--skip-git-repo-check"));
        var model = order.option("model");
        if (model != null) words.addAll(List.of("--model", model));
        var policy = order.option("permission_mode");
        if (policy != null) words.addAll(List.of("-c", "approval_policy=" + Json.write(policy)));
        var sandbox = order.option("sandbox");
        if (sandbox != null) words.addAll(List.of("-c", "sandbox_mode=" + Json.write(sandbox)));
        words.add("-");
        return words;
    }

    @Override
    public void begin() {
        pen.text(order.prompt());
        pen.close();
    }

    @Override
    public void stop() {
        pen.terminate();
    }

    @Override
    public void heard(JsonNode message) {
        switch (String.valueOf(Json.textIfAny(message, "type"))) {
            case "thread.started" -> {
                hasBegun = true;
                up.programSession(String.valueOf(Json.textIfAny(message, "thread_id")));
                up.event(Upstream.SELF, "program_started", Map.of("program", "codex exec"));
            }
            case "turn.started", "item.updated" -> {}
            case "item.started" -> items.started(Upstream.SELF, message.path("item"));
            case "item.completed" -> items.completed(Upstream.SELF, message.path("item"));
            case "turn.completed" -> turned(message.path("usage"));
            case "turn.failed" ->
                    failure = String.valueOf(Json.textIfAny(message.path("error"), "message"));
            case "error" -> failure = String.valueOf(Json.textIfAny(message, "message"));
            case String other -> unknown.heard(other, message);
        }
    }

    private void turned(JsonNode spent) {
        isDone = true;
        var sums =
                Json.object()
                        .put("inputTokens", spent.path("input_tokens").asLong(0))
                        .put("outputTokens", spent.path("output_tokens").asLong(0));
        usage.since(sums, sums).ifPresent(each -> up.spent(Upstream.SELF, each));
        var text = items.said(Upstream.SELF);
        if (!text.isEmpty()) up.result(text);
        up.event(Upstream.SELF, "turn_ended", Map.of("outcome", "completed"));
    }

    @Override
    public void complained(String line) {
        hasLost |= line.contains("no rollout found") || line.contains("not found for thread");
    }

    @Override
    public boolean hasLost() {
        return before != null && hasLost;
    }

    @Override
    public boolean hasBegun() {
        return hasBegun;
    }

    @Override
    public Outcome outcome(int exit) {
        if (isDone && exit == 0) return new Outcome.Done(items.said(Upstream.SELF));
        var why = "codex ended with code %d before its turn".formatted(exit);
        return new Outcome.Failed(failure.isEmpty() ? why : failure);
    }
}
