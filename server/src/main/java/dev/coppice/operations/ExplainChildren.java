package dev.coppice.operations;

import dev.coppice.access.Role;
import dev.coppice.observe.Spawns;
import dev.coppice.request.Context;
import dev.coppice.request.Wording;
import dev.coppice.session.Session;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Records why each session that Coppice starts is a child, in the words of the relationship schema.
 * Hooks report it of their subagents themselves. Nothing is recorded of a session without a parent,
 * which has no relationship. Joins the current transaction.
 */
public record ExplainChildren(Spawns spawns) {
    private static final String DELEGATION = "subagent_delegation";

    /** A part of the coordinator that starts sessions by itself. */
    enum Starter {
        HOOK,
        WAVE
    }

    /** A caller asked for the child; {@code mode} is null if it has no run. */
    void asked(Context x, Session child, @Nullable ExecutionMode mode) {
        Map<String, Object> how = new LinkedHashMap<>();
        how.put("face", Shape.word(x.wording()));
        how.put("caller", Shape.word(x.caller().role()));
        var caller = x.caller().self();
        if (caller != null) how.put("caller_session_id", caller.value());
        explain(child, reason(x), mode, how);
    }

    void started(Starter by, Session child, ExecutionMode mode) {
        Map<String, Object> how = new LinkedHashMap<>();
        how.put("face", Shape.word(by));
        how.put("caller", "coordinator");
        explain(child, DELEGATION, mode, how);
    }

    private void explain(
            Session child, String reason, @Nullable ExecutionMode mode, Map<String, Object> how) {
        if (mode != null) how.put("execution_mode", Shape.word(mode));
        spawns.explain(
                child.id(), new Spawns.Spawn(reason, delegation(child, mode), Json.write(how)));
    }

    /** Agents call tools. Over REST, the token or the headers tell that an agent calls. */
    private static String reason(Context x) {
        if (x.wording() == Wording.MCP) return "task_tool";
        boolean isForAgent =
                x.caller().isAgent() || x.caller().role() == Role.RUNNER || x.inherited().isMade();
        return isForAgent ? DELEGATION : "manual";
    }

    /** A child that its parent waits for is sequential; one without a run is isolated. */
    private static String delegation(Session child, @Nullable ExecutionMode mode) {
        if (mode == null || child.type() == SessionType.ISOLATED) return "isolated";
        return switch (mode) {
            case SYNC -> "sequential";
            case ASYNC_POLL, ASYNC_CALLBACK -> "parallel";
        };
    }
}
