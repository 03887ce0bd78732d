package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Claude Code, by its stream of JSON both ways. One process can do several turns: a message that
 * arrives within a turn is read at its next tool call, and a background task that ends begins a
 * turn of its own. The input stays open until no turn, no message and no background task is left.
 */
final class ClaudeCode extends AskingDialect {
    /** Kinds of messages that carry nothing new. */
    private static final Set<String> SILENT =
            Set.of(
                    "stream_event",
                    "keep_alive",
                    "tool_progress",
                    "control_response",
                    "system/commands_changed",
                    "system/status",
                    "system/hook_started",
                    "system/hook_response",
                    "system/hook_progress",
                    "system/task_progress",
                    "system/task_updated",
                    "system/thinking_tokens");

    private static final int QUIET_MAX = 10;

    /** Ten minutes, in looks of two seconds. */
    private static final int BACKGROUND_MAX = 300;

    private final Order order;
    private final Pen pen;
    private final Upstream up;
    private final Unknown unknown;
    private final ClaudeUsage usage;
    private final ClaudeAgents agents;
    private final String programSession;
    private final boolean resumes;

    private final ArrayDeque<String> unread = new ArrayDeque<>();
    private final List<String> read = new ArrayList<>();
    private int requests;
    private boolean isStarted;
    private boolean isInTurn;
    private boolean hasLost;
    private boolean isStopping;
    private boolean isConcluding;
    private int quietSince;
    private int quietAfterEnd;
    private boolean isClosed;
    private String lastText = "";
    private @Nullable JsonNode lastResult;

    /** {@code before} is the id of the conversation to resume; null to begin one. */
    ClaudeCode(Order order, @Nullable String before, Pen pen, Upstream up) {
        super(up);
        this.order = order;
        this.resumes = before != null;
        this.programSession = before == null ? newSession(order) : before;
        this.pen = pen;
        this.up = up;
        this.unknown = new Unknown("claude", up);
        this.usage = new ClaudeUsage(up, resumes ? order.lastTurn() : Json.object());
        this.agents = new ClaudeAgents(up, usage);
    }

    /** Derived, so that a repeated start of the same run finds its own session. */
    private static String newSession(Order order) {
        return UUID.nameUUIDFromBytes(order.runId().getBytes(StandardCharsets.UTF_8)).toString();
    }

    @Override
    public List<String> command() {
        var words = new ArrayList<>(order.program());
        words.addAll(List.of("-p", "--verbose"));
        words.addAll(List.of("--input-format", "stream-json", "--output-format", "stream-json"));
        words.addAll(List.of("--permission-prompt-tool", "stdio", "--replay-user-messages"));
        words.addAll(List.of(resumes ? "--resume" : "--session-id", programSession));
        option(words, "--model", "model");
        option(words, "--permission-mode", "permission_mode");
        list(words, "--allowedTools", "allowed_tools");
        list(words, "--disallowedTools", "disallowed_tools");
        if (order.mcpConfig() != null) words.addAll(List.of("--mcp-config", order.mcpConfig()));
        return words;
    }

    private void option(List<String> words, String flag, String name) {
        var value = order.option(name);
        if (value != null) words.addAll(List.of(flag, value));
    }

    private void list(List<String> words, String flag, String name) {
        var values = order.options(name);
        if (!values.isEmpty()) words.addAll(List.of(flag, String.join(",", values)));
    }

    @Override
    public void begin() {
        up.programSession(programSession);
        var system = order.option("system_prompt");
        request(
                system == null
                        ? Map.of("subtype", "initialize", "hooks", Map.of())
                        : Map.of(
                                "subtype",
                                "initialize",
                                "hooks",
                                Map.of(),
                                "appendSystemPrompt",
                                system));
        say("", order.prompt());
    }

    private void request(Map<String, ?> request) {
        requests++;
        pen.write(
                Map.of(
                        "type",
                        "control_request",
                        "request_id",
                        "coppice-" + requests,
                        "request",
                        request));
    }

    /** {@code id} is that of the message; empty for the prompt. */
    private void say(String id, String text) {
        unread.add(id);
        isInTurn = true;
        var content = List.of(Map.of("type", "text", "text", text));
        pen.write(Map.of("type", "user", "message", Map.of("role", "user", "content", content)));
    }

    @Override
    public boolean steer(Message message) {
        if (isClosed || isStopping) return false;
        say(message.id(), message.text());
        return true;
    }

    @Override
    public List<String> read() {
        var ids = List.copyOf(read);
        read.clear();
        return ids;
    }

    @Override
    public void stopSubagent(String agent) {
        request(Map.of("subtype", "stop_task", "task_id", agent));
    }

    @Override
    void answered(PendingQuestions.Answered answer) {
        respond(answer.id(), permission(answer));
    }

    @Override
    public void stop() {
        if (isStopping) return;
        isStopping = true;
        if (isInTurn) request(Map.of("subtype", "interrupt"));
        else close();
    }

    @Override
    public boolean conclude(String prompt) {
        if (isClosed || isStopping || isConcluding) return false;
        isConcluding = true;
        if (isInTurn) request(Map.of("subtype", "interrupt"));
        say("", prompt);
        return true;
    }

    @Override
    public void quiet() {
        boolean isWaiting = !isInTurn && lastResult != null;
        quietSince = isWaiting ? quietSince + 1 : 0;
        // A background command, such as a server, may never end.
        boolean isEndless = quietSince > BACKGROUND_MAX && !agents.areAgentsLiving();
        if (isWaiting && (agents.areIdle() || isEndless)) close();
        // Terminate a program that keeps running after the end of its input.
        if (isClosed && ++quietAfterEnd > QUIET_MAX) pen.terminate();
    }

    private void close() {
        if (isClosed) return;
        isClosed = true;
        pen.close();
    }

    @Override
    public void heard(JsonNode message) {
        var type = String.valueOf(Json.textIfAny(message, "type"));
        var subtype = Json.textIfAny(message, "subtype");
        var kind = type.equals("system") ? type + "/" + subtype : type;
        switch (kind) {
            case "assistant" -> said(message);
            case "user" -> returned(message);
            case "result" -> turned(message);
            case "control_request" -> asked(message);
            case "control_cancel_request" ->
                    questions.withdraw(String.valueOf(Json.textIfAny(message, "request_id")));
            case "system/init" -> began(message);
            case "system/task_started" -> agents.taskStarted(message);
            case "system/task_notification" -> agents.taskEnded(message);
            case "system/background_tasks_changed" -> agents.tasksAre(message);
            default -> {
                if (!SILENT.contains(kind)) unknown.heard(kind, message);
            }
        }
    }

    private void began(JsonNode message) {
        isInTurn = true;
        var id = Json.textIfAny(message, "session_id");
        if (id != null && !id.equals(programSession)) up.programSession(id);
        if (isStarted) return;
        isStarted = true;
        var servers = new ArrayList<String>();
        for (var server : message.path("mcp_servers")) {
            servers.add(Json.textIfAny(server, "name") + " " + Json.textIfAny(server, "status"));
        }
        up.event(
                Upstream.SELF,
                "program_started",
                Map.of(
                        "program", "claude",
                        "version", String.valueOf(Json.textIfAny(message, "claude_code_version")),
                        "model", String.valueOf(Json.textIfAny(message, "model")),
                        "permission_mode",
                                String.valueOf(Json.textIfAny(message, "permissionMode")),
                        "mcp_servers", servers));
    }

    private void said(JsonNode message) {
        var agent = agents.of(message);
        if (agent.equals(Upstream.SELF)) isInTurn = true;
        var body = message.path("message");
        usage.heard(agent, body);
        for (var block : body.path("content")) {
            switch (String.valueOf(Json.textIfAny(block, "type"))) {
                case "text" -> text(agent, String.valueOf(Json.textIfAny(block, "text")));
                case "tool_use" -> called(agent, block);
                case "thinking", "redacted_thinking" -> {}
                case String other -> unknown.heard("assistant/" + other, block);
            }
        }
    }

    private void text(String agent, String text) {
        if (agent.equals(Upstream.SELF)) lastText = text;
        up.event(agent, "message", EventFields.message("assistant", text));
    }

    private void called(String agent, JsonNode block) {
        var id = String.valueOf(Json.textIfAny(block, "id"));
        agents.called(id, agent);
        up.event(
                agent,
                "pre_tool",
                EventFields.tool(
                        id, String.valueOf(Json.textIfAny(block, "name")), block.path("input")));
    }

    private void returned(JsonNode message) {
        if (message.path("isReplay").asBoolean(false)) {
            var id = unread.poll();
            if (id != null && !id.isEmpty()) read.add(id);
            return;
        }
        var agent = agents.of(message);
        for (var block : message.path("message").path("content")) {
            if (!"tool_result".equals(Json.textIfAny(block, "type"))) continue;
            var id = String.valueOf(Json.textIfAny(block, "tool_use_id"));
            boolean failed = block.path("is_error").asBoolean(false);
            up.event(agent, "post_tool", EventFields.returned(id, block.path("content"), failed));
        }
    }

    private void turned(JsonNode message) {
        isInTurn = false;
        lastResult = message;
        usage.turned(message);
        var text = Json.textIfAny(message, "result");
        if (text != null) up.result(text);
        var turn = new LinkedHashMap<String, Object>(usage.sums());
        turn.put("outcome", String.valueOf(Json.textIfAny(message, "subtype")));
        turn.put("turns", message.path("num_turns").asInt(0));
        turn.put("duration_ms", message.path("duration_ms").asLong(0));
        up.event(Upstream.SELF, "turn_ended", turn);
        boolean isOver = unread.isEmpty() && (isConcluding || agents.areIdle());
        if (isStopping || isOver) close();
    }

    private void asked(JsonNode message) {
        var id = String.valueOf(Json.textIfAny(message, "request_id"));
        var request = message.path("request");
        if (!"can_use_tool".equals(Json.textIfAny(request, "subtype"))) {
            unknown.heard("control_request/" + Json.textIfAny(request, "subtype"), message);
            pen.write(
                    Map.of(
                            "type",
                            "control_response",
                            "response",
                            Map.of(
                                    "subtype", "error",
                                    "request_id", id,
                                    "error", "this driver does not do that")));
            return;
        }
        var call = String.valueOf(Json.textIfAny(request, "tool_use_id"));
        var agent = agents.caller(call);
        var tool = String.valueOf(Json.textIfAny(request, "tool_name"));
        questions.ask(
                agent,
                new PendingQuestions.Question(
                        id, tool, request.path("input"), PendingQuestions.YES_NO));
    }

    private static Map<String, ?> permission(PendingQuestions.Answered answered) {
        return answered.allowed()
                ? Map.of("behavior", "allow", "updatedInput", answered.question().input())
                : Map.of("behavior", "deny", "message", answered.said());
    }

    private void respond(String id, Map<String, ?> response) {
        pen.write(
                Map.of(
                        "type",
                        "control_response",
                        "response",
                        Map.of("subtype", "success", "request_id", id, "response", response)));
    }

    @Override
    public void complained(String line) {
        hasLost |= line.contains("No conversation found");
    }

    @Override
    public boolean hasLost() {
        return resumes && hasLost;
    }

    @Override
    public boolean hasBegun() {
        return isStarted;
    }

    @Override
    public Outcome outcome(int exit) {
        agents.end();
        var result = lastResult;
        if (result == null) {
            return new Outcome.Failed("claude ended with code %d before its turn".formatted(exit));
        }
        var text = Json.textIfAny(result, "result");
        if (!result.path("is_error").asBoolean(false) && exit == 0) {
            return new Outcome.Done(text == null ? lastText : text);
        }
        if (!lastText.isEmpty()) up.result(lastText);
        var why = text == null || text.isBlank() ? errors(result) : text;
        return new Outcome.Failed(why);
    }

    private static String errors(JsonNode result) {
        var errors = new ArrayList<String>();
        for (var error : result.path("errors"))
            errors.add(error.isString() ? error.asString() : error.toString());
        var reason = Json.textIfAny(result, "terminal_reason");
        if (errors.isEmpty()) errors.add(String.valueOf(Json.textIfAny(result, "subtype")));
        return String.join("; ", errors) + (reason == null ? "" : " (" + reason + ")");
    }
}
