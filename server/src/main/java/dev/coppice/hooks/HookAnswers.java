package dev.coppice.hooks;

import dev.coppice.wire.observe.HookCalls.Program;
import dev.coppice.word.Verdict;

import java.util.Map;

/**
 * Decisions in the words of each program. An empty object decides nothing: the program goes on as
 * it would without the hook.
 */
final class HookAnswers {
    static final Map<String, Object> NOTHING = Map.of();
    static final String BEFORE_TOOL = "PreToolUse";
    static final String PERMISSION = "PermissionRequest";

    /** Our mod asks this before a subagent starts. */
    static final String SPAWN = "AgentSpawn";

    /** Our mod reports this after a subagent has started. */
    static final String SPAWNED = "AgentSpawned";

    private static final String ALLOW = "allow";
    private static final String DENY = "deny";

    private HookAnswers() {}

    /** True if the program can be told to ask its own person before it uses a tool. */
    static boolean canAsk(Program program) {
        return program == Program.CLAUDE_CODE;
    }

    static Map<String, Object> of(Program program, String type, Verdict verdict, String reason) {
        return switch (verdict) {
            case ALLOW -> type.equals(PERMISSION) ? allow(program) : NOTHING;
            case DENY -> deny(program, type, reason);
            case ASK ->
                    canAsk(program) && type.equals(BEFORE_TOOL)
                            ? beforeTool("ask", reason)
                            : NOTHING;
        };
    }

    private static Map<String, Object> allow(Program program) {
        return switch (program) {
            case CLAUDE_CODE, CODEX -> permission(Map.of("behavior", ALLOW));
            case GEMINI, CURSOR, OPENCODE -> Map.of("decision", ALLOW, "permission", ALLOW);
        };
    }

    private static Map<String, Object> deny(Program program, String type, String reason) {
        if (type.equals(SPAWN)) return Map.of("decision", DENY, "reason", reason);
        return switch (program) {
            case CLAUDE_CODE, CODEX ->
                    type.equals(PERMISSION)
                            ? permission(Map.of("behavior", DENY, "message", reason))
                            : beforeTool(DENY, reason);
            case GEMINI, OPENCODE -> Map.of("decision", DENY, "reason", reason);
            // The hooks of Cursor before tools and before commands read different fields.
            case CURSOR ->
                    Map.of(
                            "decision", DENY,
                            "reason", reason,
                            "permission", DENY,
                            "user_message", reason,
                            "agent_message", reason);
        };
    }

    private static Map<String, Object> permission(Map<String, Object> decision) {
        return Map.of(
                "hookSpecificOutput", Map.of("hookEventName", PERMISSION, "decision", decision));
    }

    private static Map<String, Object> beforeTool(String decision, String reason) {
        return Map.of(
                "hookSpecificOutput",
                Map.of(
                        "hookEventName", BEFORE_TOOL,
                        "permissionDecision", decision,
                        "permissionDecisionReason", reason));
    }
}
