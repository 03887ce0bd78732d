package dev.coppice.hooks;

import dev.coppice.wire.Json;
import dev.coppice.wire.observe.HookCalls.Program;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/**
 * The names that an agent program gives to the parts of the events that it sends to its hooks.
 * Types that mean the same get the name of Claude Code, whose events are the most detailed; others
 * keep theirs.
 *
 * @param session the field with the id of the session
 * @param subagent the field with the id of a subagent that is a session of its own
 * @param parent the field with the id of the session above
 * @param types the types that Claude Code calls otherwise
 */
record ProgramHook(
        String session,
        @Nullable String subagent,
        @Nullable String parent,
        Map<String, String> types) {
    private static final String SESSION = "session_id";
    private static final ProgramHook CLAUDE_CODE = new ProgramHook(SESSION, null, null, Map.of());
    private static final ProgramHook GEMINI =
            new ProgramHook(
                    SESSION,
                    null,
                    null,
                    Map.of(
                            "BeforeAgent", "UserPromptSubmit",
                            "AfterAgent", "Stop",
                            "BeforeTool", "PreToolUse",
                            "AfterTool", "PostToolUse",
                            "PreCompress", "PreCompact"));
    private static final ProgramHook CURSOR =
            new ProgramHook(
                    "conversation_id",
                    "subagent_id",
                    "parent_conversation_id",
                    Map.of(
                            "sessionStart", "SessionStart",
                            "sessionEnd", "SessionEnd",
                            "beforeSubmitPrompt", "UserPromptSubmit",
                            "preToolUse", "PreToolUse",
                            "postToolUse", "PostToolUse",
                            "postToolUseFailure", "PostToolUseFailure",
                            "subagentStart", "SubagentStart",
                            "subagentStop", "SubagentStop",
                            "preCompact", "PreCompact",
                            "stop", "Stop"));

    /** Our own plugin of OpenCode sends the names of Claude Code, and the parents that it knows. */
    private static final ProgramHook OPENCODE =
            new ProgramHook(SESSION, null, "parent_session_id", Map.of());

    static ProgramHook of(Program program) {
        return switch (program) {
            case CLAUDE_CODE, CODEX -> CLAUDE_CODE;
            case GEMINI -> GEMINI;
            case CURSOR -> CURSOR;
            case OPENCODE -> OPENCODE;
        };
    }

    /**
     * The message that a sender of the hook server would make of the program's body, without its
     * payload, which is the body; null if the body names no event or no session.
     */
    @Nullable ObjectNode message(JsonNode body) {
        var type = Json.textIfAny(body, "hook_event_name");
        var own = field(body, subagent);
        if (own == null) own = Json.textIfAny(body, session);
        if (type == null || own == null) return null;
        var message = Json.object();
        message.put("source_app", app(body));
        message.put(SESSION, own);
        message.put("hook_event_type", types.getOrDefault(type, type));
        var above = field(body, parent);
        if (above != null) message.put("parent_session_id", above);
        return message;
    }

    /** The text of a message with its payload as the program sent it. */
    static String text(ObjectNode message, String payload) {
        var start = message.toString();
        return start.substring(0, start.length() - 1) + ",\"payload\":" + payload + "}";
    }

    private static @Nullable String field(JsonNode body, @Nullable String name) {
        return name == null ? null : Json.textIfAny(body, name);
    }

    /** The directory in which the program works names its sessions. */
    private static String app(JsonNode body) {
        var directory = body.path("cwd").asString("");
        if (directory.isEmpty()) directory = body.path("workspace_roots").path(0).asString("");
        var plain = directory.replace('\\', '/');
        var name = plain.substring(plain.lastIndexOf('/') + 1);
        return name.isEmpty() ? "agent" : name;
    }
}
