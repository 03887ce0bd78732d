package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Any agent that speaks the Agent Client Protocol. A prompt is one request, whose answer ends the
 * turn; it cannot be steered. A subagent that the agent reports has a session.
 */
final class Acp extends AskingDialect {
    private static final int VERSION = 1;
    private static final String UNABLE = "this agent cannot go on with a session";

    private final Order order;
    private final @Nullable String before;
    private final Pen pen;
    private final Upstream up;
    private final Rpc rpc;
    private final Unknown unknown;
    private final Map<String, JsonNode> requests = new HashMap<>();
    private final AcpUpdates updates;
    private JsonNode can = Json.object();
    private String session = "";
    private boolean isReplaying;
    private boolean isPrompted;
    private boolean isStopping;

    /** The prompt of the concluding turn; null until one is requested. */
    private @Nullable String last;

    private boolean isConcluding;
    private boolean isClosed;
    private @Nullable String stopReason;
    private String failure = "";

    Acp(Order order, @Nullable String before, Pen pen, Upstream up) {
        super(up);
        this.order = order;
        this.before = before;
        this.pen = pen;
        this.up = up;
        this.rpc = new Rpc(pen, Map.of("jsonrpc", "2.0"));
        this.unknown = new Unknown("acp", up);
        this.updates = new AcpUpdates(up, unknown);
    }

    @Override
    public List<String> command() {
        return order.program();
    }

    @Override
    public void begin() {
        var files = Map.of("readTextFile", false, "writeTextFile", false);
        rpc.ask(
                "initialize",
                Map.of(
                        "protocolVersion", VERSION,
                        "clientInfo", Map.of("name", "coppice", "version", "1"),
                        "clientCapabilities",
                                Map.of("fs", files, "terminal", false, "subagents", Map.of())),
                this::beginSession,
                this::failed);
    }

    private void beginSession(JsonNode agent) {
        can = agent.path("agentCapabilities");
        var info = agent.path("agentInfo");
        up.event(
                Upstream.SELF,
                "program_started",
                Map.of(
                        "program", String.valueOf(Json.textIfAny(info, "name")),
                        "version", String.valueOf(Json.textIfAny(info, "version"))));
        var params = new LinkedHashMap<String, Object>();
        params.put("cwd", Path.of("").toAbsolutePath().toString());
        params.put("mcpServers", servers());
        if (before == null) {
            rpc.ask("session/new", params, this::began, this::failed);
            return;
        }
        params.put("sessionId", before);
        boolean resumes = can.path("sessionCapabilities").has("resume");
        if (!resumes && !can.path("loadSession").asBoolean(false)) {
            failure = UNABLE;
            close();
            return;
        }
        // A load replays the whole conversation.
        isReplaying = !resumes;
        rpc.ask(resumes ? "session/resume" : "session/load", params, this::began, this::failed);
    }

    /**
     * Returns the servers in the form of the protocol, without those whose transport the agent
     * lacks.
     */
    private List<Map<String, ?>> servers() {
        var all = new ArrayList<Map<String, ?>>();
        var transports = can.path("mcpCapabilities");
        for (var server : ServerFile.read(order.mcpConfig()).properties()) {
            var value = server.getValue();
            var fields = new LinkedHashMap<String, Object>();
            fields.put("name", server.getKey());
            if (value.has("url")) {
                var type = value.has("type") ? value.get("type").asString() : "http";
                if (!transports.path(type).asBoolean(false)) continue;
                fields.put("type", type);
                fields.put("url", value.get("url"));
                fields.put("headers", pairs(value.path("headers")));
            } else {
                fields.put("command", value.path("command"));
                fields.put("args", value.has("args") ? value.get("args") : List.of());
                fields.put("env", pairs(value.path("env")));
            }
            all.add(fields);
        }
        return all;
    }

    private static List<Map<String, ?>> pairs(JsonNode object) {
        var all = new ArrayList<Map<String, ?>>();
        for (var field : object.properties()) {
            all.add(Map.of("name", field.getKey(), "value", field.getValue()));
        }
        return all;
    }

    private void began(JsonNode result) {
        isReplaying = false;
        var id = Json.textIfAny(result, "sessionId");
        session = id == null ? String.valueOf(before) : id;
        up.programSession(session);
        var mode = order.option("permission_mode");
        if (mode != null) setting("session/set_mode", Map.of("modeId", mode));
        var model = order.option("model");
        for (var option : result.path("configOptions")) {
            if (model == null || !"model".equals(Json.textIfAny(option, "category"))) continue;
            var name = String.valueOf(Json.textIfAny(option, "id"));
            setting("session/set_config_option", Map.of("configId", name, "value", model));
        }
        var models = result.path("models").path("availableModels");
        if (model != null && !models.isEmpty()) {
            setting("session/set_model", Map.of("modelId", model));
        }
        prompt(order.prompt());
    }

    private void prompt(String words) {
        isPrompted = true;
        var text = Map.of("type", "text", "text", words);
        rpc.ask(
                "session/prompt",
                Map.of("sessionId", session, "prompt", List.of(text)),
                this::turned,
                this::failed);
    }

    private void setting(String method, Map<String, ?> what) {
        var params = new LinkedHashMap<String, Object>(what);
        params.put("sessionId", session);
        rpc.ask(
                method,
                params,
                _ -> {},
                error ->
                        up.event(
                                Upstream.SELF,
                                "program_error",
                                Map.of("error", method + ": " + Json.textIfAny(error, "message"))));
    }

    private void failed(JsonNode error) {
        failure = String.valueOf(Json.textIfAny(error, "message"));
        var details = error.path("data").path("details");
        if (details.isString()) failure += ": " + details.asString();
        close();
    }

    private void turned(JsonNode result) {
        stopReason = String.valueOf(Json.textIfAny(result, "stopReason"));
        updates.speech(Upstream.SELF).end();
        var text = updates.speech(Upstream.SELF).last();
        if (!text.isEmpty()) up.result(text);
        var usage = result.path("usage");
        var spent =
                new Upstream.Spent(
                        usage.path("inputTokens").asLong(0)
                                + usage.path("cachedReadTokens").asLong(0)
                                + usage.path("cachedWriteTokens").asLong(0),
                        usage.path("outputTokens").asLong(0),
                        BigDecimal.ZERO);
        if (!spent.isNothing()) up.spent(Upstream.SELF, spent);
        up.event(Upstream.SELF, "turn_ended", Map.of("outcome", stopReason));
        var prompt = last;
        if (prompt != null && !isConcluding && !isStopping) {
            isConcluding = true;
            stopReason = null;
            prompt(prompt);
            return;
        }
        if (!can.path("sessionCapabilities").has("close")) {
            close();
            return;
        }
        rpc.ask("session/close", Map.of("sessionId", session), _ -> close(), _ -> close());
    }

    private void close() {
        if (isClosed) return;
        isClosed = true;
        pen.close();
    }

    @Override
    public void quiet() {
        // Some agents keep running after the end of their input.
        if (isClosed) pen.terminate();
    }

    @Override
    void answered(PendingQuestions.Answered answer) {
        var id = requests.remove(answer.id());
        if (id != null) rpc.respond(id, outcome(answer));
    }

    private static Map<String, ?> outcome(PendingQuestions.Answered answered) {
        boolean isKnown = answered.question().options().contains(answered.option());
        var outcome =
                isKnown
                        ? Map.of("outcome", "selected", "optionId", answered.option().id())
                        : Map.of("outcome", "cancelled");
        return Map.of("outcome", outcome);
    }

    @Override
    public void stop() {
        if (isStopping) return;
        isStopping = true;
        if (isPrompted && stopReason == null) cancel(session);
        else close();
    }

    @Override
    public boolean conclude(String prompt) {
        if (!isPrompted || isStopping || last != null || stopReason != null) return false;
        last = prompt;
        cancel(session);
        return true;
    }

    /** A client that cancels must answer the open requests. */
    private void cancel(String of) {
        for (var open : questions.withdrawAll()) {
            var id = requests.remove(open);
            var cancelled = Map.of("outcome", "cancelled");
            if (id != null) rpc.respond(id, Map.of("outcome", cancelled));
        }
        rpc.tell("session/cancel", Map.of("sessionId", of));
    }

    @Override
    public void stopSubagent(String agent) {
        if (updates.isCancellable(agent)) cancel(agent);
    }

    @Override
    public void heard(JsonNode message) {
        if (rpc.heard(message)) return;
        var method = String.valueOf(Json.textIfAny(message, "method"));
        var params = message.path("params");
        var id = message.get("id");
        if (id != null) {
            asked(id, method, params);
        } else if (method.equals("session/update")) {
            if (!isReplaying) updates.updated(updates.agentOf(params), params.path("update"));
        } else {
            unknown.heard(method, message);
        }
    }

    private void asked(JsonNode id, String method, JsonNode params) {
        if (!method.equals("session/request_permission")) {
            unknown.heard(method, params);
            rpc.refuse(id, method);
            return;
        }
        var options = new ArrayList<PendingQuestions.Option>();
        for (var option : params.path("options")) {
            var kind = String.valueOf(Json.textIfAny(option, "kind"));
            options.add(
                    new PendingQuestions.Option(
                            String.valueOf(Json.textIfAny(option, "optionId")),
                            kind.startsWith("allow"),
                            kind.endsWith("once")
                                    ? PendingQuestions.Reach.ONCE
                                    : PendingQuestions.Reach.ALWAYS));
        }
        var call = params.path("toolCall");
        var title = Json.textIfAny(call, "title");
        var tool = title == null ? "tool" : title;
        requests.put(id.toString(), id);
        questions.ask(
                updates.agentOf(params),
                new PendingQuestions.Question(id.toString(), tool, call, options));
    }

    @Override
    public boolean hasLost() {
        boolean isUnable = failure.equals(UNABLE) || failure.contains("not found");
        return before != null && session.isEmpty() && isUnable;
    }

    @Override
    public boolean hasBegun() {
        return !session.isEmpty();
    }

    @Override
    public Outcome outcome(int exit) {
        updates.end();
        var text = updates.speech(Upstream.SELF).last();
        if ("end_turn".equals(stopReason)) return new Outcome.Done(text);
        if (stopReason != null) return new Outcome.Failed("its turn ended as " + stopReason);
        var why = "the agent ended with code %d before its turn".formatted(exit);
        return new Outcome.Failed(failure.isEmpty() ? why : failure);
    }
}
