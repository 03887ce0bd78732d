package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Codex by its app-server: a thread is its conversation, and a turn can be steered and interrupted.
 * Threads that an agent of the thread began are its subagents.
 */
final class CodexServer extends AskingDialect {
    private static final List<PendingQuestions.Option> DECISIONS =
            List.of(
                    PendingQuestions.Option.once("accept", true),
                    new PendingQuestions.Option(
                            "acceptForSession", true, PendingQuestions.Reach.ALWAYS),
                    PendingQuestions.Option.once("decline", false));

    /** Notifications that carry nothing new. */
    private static final Set<String> SILENT =
            Set.of(
                    "account/rateLimits/updated",
                    "configWarning",
                    "hook/completed",
                    "hook/started",
                    "item/agentMessage/delta",
                    "item/commandExecution/outputDelta",
                    "item/commandExecution/terminalInteraction",
                    "item/fileChange/outputDelta",
                    "item/fileChange/patchUpdated",
                    "item/mcpToolCall/progress",
                    "item/plan/delta",
                    "item/reasoning/summaryPartAdded",
                    "item/reasoning/summaryTextDelta",
                    "item/reasoning/textDelta",
                    "mcpServer/startupStatus/updated",
                    "remoteControl/status/changed",
                    "thread/name/updated",
                    "thread/settings/updated",
                    "thread/status/changed",
                    "turn/diff/updated",
                    "turn/plan/updated",
                    "turn/moderationMetadata");

    private final Order order;
    private final @Nullable String before;
    private final Rpc rpc;
    private final Pen pen;
    private final Upstream up;
    private final CodexItems items;
    private final Unknown unknown;
    private final List<String> read = new ArrayList<>();
    private final Map<String, String> turns = new HashMap<>();
    private final Map<String, JsonNode> requests = new HashMap<>();
    private final CodexAgents agents;
    private String thread = "";
    private String turn = "";
    private @Nullable JsonNode lastTurn;
    private String failure = "";
    private boolean isStopping;

    /** The prompt of the concluding turn; null until one is requested. */
    private @Nullable String last;

    private boolean isConcluding;
    private boolean isClosed;

    CodexServer(Order order, @Nullable String before, Pen pen, Upstream up) {
        super(up);
        this.order = order;
        this.before = before;
        this.pen = pen;
        this.up = up;
        this.rpc = new Rpc(pen, Map.of());
        this.items = new CodexItems(up);
        this.agents = new CodexAgents(up, items);
        this.unknown = new Unknown("codex", up);
    }

    @Override
    public List<String> command() {
        var words = new ArrayList<>(order.program());
        words.add("app-server");
        return words;
    }

    @Override
    public void begin() {
        var client = Map.of("name", "coppice", "title", "Coppice", "version", "1");
        rpc.ask(
                "initialize",
                Map.of("clientInfo", client),
                _ -> {
                    rpc.tell("initialized", Map.of());
                    beginThread();
                },
                this::failed);
    }

    private void beginThread() {
        var params = new LinkedHashMap<String, Object>();
        if (before != null) params.put("threadId", before);
        option(params, "model", "model");
        option(params, "approvalPolicy", "permission_mode");
        option(params, "sandbox", "sandbox");
        option(params, "developerInstructions", "system_prompt");
        var servers = ServerFile.forCodex(order.mcpConfig());
        if (!servers.isEmpty()) params.put("config", Map.of("mcp_servers", servers));
        rpc.ask(
                before == null ? "thread/start" : "thread/resume",
                params,
                this::began,
                this::failed);
    }

    private void option(Map<String, Object> params, String name, String option) {
        var value = order.option(option);
        if (value != null) params.put(name, value);
    }

    private void began(JsonNode result) {
        thread = String.valueOf(Json.textIfAny(result.path("thread"), "id"));
        up.programSession(thread);
        up.event(
                Upstream.SELF,
                "program_started",
                Map.of(
                        "program", "codex",
                        "version",
                                String.valueOf(Json.textIfAny(result.path("thread"), "cliVersion")),
                        "model", String.valueOf(Json.textIfAny(result, "model")),
                        "permission_mode", result.path("approvalPolicy")));
        startTurn(order.prompt());
    }

    private void startTurn(String prompt) {
        rpc.ask(
                "turn/start",
                Map.of("threadId", thread, "input", input(prompt)),
                started -> turn = String.valueOf(Json.textIfAny(started.path("turn"), "id")),
                this::failed);
    }

    private static List<Map<String, ?>> input(String text) {
        return List.of(Map.of("type", "text", "text", text, "text_elements", List.of()));
    }

    private void failed(JsonNode error) {
        failure = String.valueOf(Json.textIfAny(error, "message"));
        close();
    }

    @Override
    public boolean steer(Message message) {
        if (isClosed || isStopping || turn.isEmpty()) return false;
        rpc.ask(
                "turn/steer",
                Map.of(
                        "threadId",
                        thread,
                        "expectedTurnId",
                        turn,
                        "clientUserMessageId",
                        message.id(),
                        "input",
                        input(message.text())),
                _ -> {},
                // The turn is over. The message stays unread, and comes with the next prompt.
                _ -> {});
        return true;
    }

    @Override
    public List<String> read() {
        var ids = List.copyOf(read);
        read.clear();
        return ids;
    }

    @Override
    void answered(PendingQuestions.Answered answer) {
        var id = requests.remove(answer.id());
        if (id != null) rpc.respond(id, Map.of("decision", answer.option().id()));
    }

    @Override
    public void stop() {
        if (isStopping) return;
        isStopping = true;
        if (turn.isEmpty()) close();
        else interrupt(thread, turn, _ -> close());
    }

    @Override
    public boolean conclude(String prompt) {
        if (isClosed || isStopping || turn.isEmpty() || last != null) return false;
        last = prompt;
        interrupt(thread, turn, _ -> {});
        return true;
    }

    private void interrupt(String ofThread, String ofTurn, Consumer<JsonNode> failed) {
        var params = Map.of("threadId", ofThread, "turnId", ofTurn);
        rpc.ask("turn/interrupt", params, _ -> {}, failed);
    }

    private void close() {
        if (isClosed) return;
        isClosed = true;
        pen.close();
    }

    @Override
    public void heard(JsonNode message) {
        if (rpc.heard(message)) return;
        var method = String.valueOf(Json.textIfAny(message, "method"));
        var params = message.path("params");
        var id = message.get("id");
        if (id != null) {
            asked(id, method, params);
            return;
        }
        switch (method) {
            case "item/started" -> itemBegan(params);
            case "item/completed" -> completed(params);
            case "thread/tokenUsage/updated" ->
                    agents.spent(params, turns.containsValue(Json.textIfAny(params, "turnId")));
            case "turn/started" ->
                    turns.put(
                            String.valueOf(Json.textIfAny(params, "threadId")),
                            String.valueOf(Json.textIfAny(params.path("turn"), "id")));
            case "turn/completed" -> turned(params);
            case "serverRequest/resolved" ->
                    questions.withdraw(String.valueOf(params.get("requestId")));
            case "thread/started" -> agents.threadBegan(params.path("thread"), thread);
            case "thread/closed" ->
                    agents.ended(agents.of(params), Upstream.Ending.FINISHED, "closed");
            case "error" ->
                    failure = String.valueOf(Json.textIfAny(params.path("error"), "message"));
            default -> {
                if (!SILENT.contains(method)) unknown.heard(method, message);
            }
        }
    }

    private void itemBegan(JsonNode params) {
        var item = params.path("item");
        if ("subAgentActivity".equals(Json.textIfAny(item, "type")))
            agents.acted(agents.of(params), item);
        else items.started(agents.of(params), item);
    }

    private void completed(JsonNode params) {
        var item = params.path("item");
        var agent = agents.of(params);
        switch (String.valueOf(Json.textIfAny(item, "type"))) {
            case "userMessage" -> {
                var id = Json.textIfAny(item, "clientId");
                if (id != null) read.add(id);
            }
            case "collabAgentToolCall" -> {
                items.completed(agent, item);
                agents.collaborated(agent, item);
            }
            case "subAgentActivity" -> agents.acted(agent, item);
            case String _ -> items.completed(agent, item);
        }
    }

    private void turned(JsonNode params) {
        var done = params.path("turn");
        var agent = agents.of(params);
        if (!thread.equals(Json.textIfAny(params, "threadId"))) {
            boolean isFailed = "failed".equals(Json.textIfAny(done, "status"));
            agents.ended(
                    agent,
                    isFailed ? Upstream.Ending.FAILED : Upstream.Ending.FINISHED,
                    items.said(agent));
            return;
        }
        lastTurn = done;
        turn = "";
        var status = String.valueOf(Json.textIfAny(done, "status"));
        if (!items.said(Upstream.SELF).isEmpty()) up.result(items.said(Upstream.SELF));
        up.event(
                Upstream.SELF,
                "turn_ended",
                Map.of("outcome", status, "duration_ms", done.path("durationMs").asLong(0)));
        var prompt = last;
        if (prompt == null || isConcluding || isStopping) {
            close();
            return;
        }
        isConcluding = true;
        startTurn(prompt);
    }

    private void asked(JsonNode id, String method, JsonNode params) {
        if (!method.endsWith("/requestApproval") || method.startsWith("item/permissions/")) {
            unknown.heard(method, params);
            rpc.refuse(id, method);
            return;
        }
        var key = id.toString();
        requests.put(key, id);
        var tool = method.contains("fileChange") ? "fileChange" : "commandExecution";
        questions.ask(
                agents.of(params), new PendingQuestions.Question(key, tool, params, DECISIONS));
    }

    @Override
    public void stopSubagent(String agent) {
        var its = turns.get(agent);
        if (its != null) interrupt(agent, its, _ -> {});
    }

    @Override
    public boolean hasLost() {
        return before != null
                && thread.isEmpty()
                && (failure.contains("not found") || failure.contains("no rollout"));
    }

    @Override
    public void quiet() {
        if (isClosed) pen.terminate();
    }

    @Override
    public boolean hasBegun() {
        return !thread.isEmpty();
    }

    @Override
    public Outcome outcome(int exit) {
        agents.end();
        var done = lastTurn;
        if (done == null) {
            var why = "codex ended with code %d before its turn".formatted(exit);
            return new Outcome.Failed(failure.isEmpty() ? why : failure);
        }
        if ("completed".equals(Json.textIfAny(done, "status"))) {
            return new Outcome.Done(items.said(Upstream.SELF));
        }
        var error = Json.textIfAny(done.path("error"), "message");
        var why = "its turn was " + Json.textIfAny(done, "status");
        return new Outcome.Failed(error == null ? failure.isEmpty() ? why : failure : error);
    }
}
