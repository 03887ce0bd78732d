package dev.coppice.originals.family;

import dev.coppice.access.Caller;
import dev.coppice.boot.Ground;
import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Observations.Sent;
import dev.coppice.originals.page.Tidings;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The relationship server's messages to its pages besides events: which agents are at work, when
 * one starts or ends, and which hooks send. Its pages read the fields of a message flat, and its
 * server nested them below {@code data}, so a message has both.
 */
final class FamilyTalk implements Tidings {
    private static final String STARTS = "SubagentStart";
    private static final String ENDS = "SubagentStop";

    private final Ground parts;
    private final AgentRoutes agents;
    private final Coverages coverages;
    private final Caller caller;
    private Instant hooksDue = Instant.MIN;

    FamilyTalk(Ground parts, AgentRoutes agents, Coverages coverages, Caller caller) {
        this.parts = parts;
        this.agents = agents;
        this.coverages = coverages;
        this.caller = caller;
    }

    private record Message(String type, Object data) {}

    private record Relation(
            String sessionId,
            @Nullable String parentSessionId,
            String childSessionId,
            String agentName,
            String relationshipType,
            String spawnReason,
            String status,
            @Nullable Long durationMs,
            long timestamp) {}

    private record Related(
            String type,
            String sessionId,
            @Nullable String parentSessionId,
            String childSessionId,
            String relationshipType,
            String spawnReason,
            long timestamp,
            Relation data) {
        static Related of(String type, Relation r) {
            return new Related(
                    type,
                    r.sessionId(),
                    r.parentSessionId(),
                    r.childSessionId(),
                    r.relationshipType(),
                    r.spawnReason(),
                    r.timestamp(),
                    r);
        }
    }

    @Override
    public List<String> first() {
        return List.of(terminal());
    }

    private String terminal() {
        return Json.write(new Message("terminal_status", agents.terminal(caller.session())));
    }

    @Override
    public List<String> after(Sent event) {
        var told = new ArrayList<String>();
        var body = event.body().value();
        // Most events are of other types, and are not parsed again.
        boolean isAbout = body.contains(STARTS) || body.contains(ENDS);
        var type = isAbout ? Json.read(body).path("hook_event_type").asString("") : "";
        if (type.equals(STARTS) || type.equals(ENDS)) {
            session(event.node()).ifPresent(session -> tell(type, session, event, told));
        }
        var now = parts.clock().instant();
        if (!now.isBefore(hooksDue)) {
            hooksDue = now.plus(Coverages.INTERVAL);
            told.add(
                    Json.write(
                            new Message(
                                    "hook_status_update", coverages.below(caller.session(), now))));
        }
        return told;
    }

    private Optional<Session> session(SessionId id) {
        return parts.scope().transactions().read(() -> parts.scope().sessions().find(id));
    }

    private static void tell(String type, Session session, Sent event, List<String> told) {
        boolean isStart = type.equals(STARTS);
        var parent = session.place().parentId();
        var length = session.times().duration();
        var state = StateWord.of(session.state());
        boolean isFailed = !isStart && state.equals("failed");
        var relation =
                new Relation(
                        session.id().value(),
                        parent == null ? null : parent.value(),
                        session.id().value(),
                        session.name(),
                        "parent/child",
                        "subagent_delegation",
                        isStart ? "active" : isFailed ? "failed" : "completed",
                        isStart || length == null ? null : length.toMillis(),
                        event.at().toEpochMilli());
        if (isStart) told.add(Json.write(Related.of("session_spawn", relation)));
        if (!isStart) told.add(Json.write(Related.of("child_session_completed", relation)));
        if (isFailed) told.add(Json.write(Related.of("session_failed", relation)));
        told.add(
                Json.write(
                        Related.of(
                                isStart ? "relationship_created" : "relationship_updated",
                                relation)));
        var shown =
                new AgentFigures.Shown(
                        session.id().value(),
                        session.name(),
                        session.name(),
                        isStart ? "active" : isFailed ? "failed" : "complete",
                        event.at().toEpochMilli(),
                        relation.durationMs(),
                        parent == null ? null : parent.value(),
                        String.valueOf(session.profile().sourceApp()));
        told.add(Json.write(new Message(isStart ? "agent_started" : "agent_completed", shown)));
        told.add(Json.write(new Message("agent_status_update", shown)));
    }

    @Override
    public @Nullable String answer(String text) {
        return text.contains("\"get_terminal_status\"") ? terminal() : null;
    }
}
