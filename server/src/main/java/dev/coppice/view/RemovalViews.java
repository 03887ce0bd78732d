package dev.coppice.view;

import dev.coppice.kernel.Refusal;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Member;
import dev.coppice.removal.Objection;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalPlan;
import dev.coppice.removal.RemovalState;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;

/** Removals and their plans as they are shown. */
public final class RemovalViews {
    /** The steps in their order, with the states in which each is under way. */
    private static final List<Step> STEPS =
            List.of(
                    new Step("fence", List.of("fencing")),
                    new Step("quiesce", List.of("quiescing")),
                    new Step("preserve", List.of("preserving")),
                    new Step("back_up", List.of("backing_up")),
                    new Step("hide", List.of("detaching", "hiding")),
                    new Step("undo_window", List.of("hidden")),
                    new Step("purge", List.of("purging")));

    private RemovalViews() {}

    private record Step(String name, List<String> states) {}

    /** How many of its members know what became of it, while they are told; and who is next. */
    public record Told(long told, long all, @Nullable String next) {}

    public static ObjectNode shown(Removal r, @Nullable Told told) {
        var body =
                Json.object()
                        .put("removal_id", r.id().value())
                        .put("session_id", r.top().id().value())
                        .put("session_name", r.top().name())
                        .put("state", r.state().word())
                        .put("over", r.state().isOver())
                        .put("percent", told == null ? r.percent(0, 1) : percent(r, told))
                        .put("waits_for", r.state().waitsFor())
                        .put("called_off", r.state().calledOff())
                        .put("reason", r.order().reason())
                        .put("asked_by", r.order().by())
                        .put("digest", r.digest());
        body.set("telling", told == null ? null : Json.tree(told));
        body.set("choices", shown(r.choices()));
        body.set("taken", shown(r.taken()));
        body.set("steps", steps(r));
        body.set("backup", backup(r));
        return body.put("began_at", r.times().began().toString())
                .put("hidden_at", text(r.times().hidden()))
                .put("undo_until", text(r.times().undoUntil()))
                .put("ended_at", text(r.times().ended()));
    }

    private static int percent(Removal r, Told told) {
        return r.percent(told.told(), told.all());
    }

    private static tools.jackson.databind.JsonNode steps(Removal r) {
        var steps = Json.object().putArray("steps");
        var word = r.state().word();
        int at = -1;
        for (int i = 0; i < STEPS.size(); i++) if (STEPS.get(i).states().contains(word)) at = i;
        boolean back =
                List.of("restoring", "undoing", "undone", "taking_back", "taken_back")
                        .contains(word);
        for (int i = 0; i < STEPS.size(); i++) {
            var state =
                    back
                            ? "taken_back"
                            : word.equals("purged") || i < at
                                    ? "done"
                                    : i == at ? "under_way" : "to_come";
            steps.add(Json.object().put("step", STEPS.get(i).name()).put("state", state));
        }
        return steps;
    }

    private static @Nullable ObjectNode backup(Removal r) {
        var backup = r.backup();
        return backup == null ? null : shown(backup);
    }

    public static ObjectNode shown(Removal.Backup backup) {
        return Json.object()
                .put("file", backup.file())
                .put("sha256", backup.sha256())
                .put("size", backup.size());
    }

    private static ObjectNode shown(Removal.Taken taken) {
        return Json.object()
                .put("sessions", taken.sessions())
                .put("runs", taken.runs())
                .put("events", taken.events())
                .put("event_bytes", taken.eventBytes());
    }

    private static ObjectNode shown(Choices c) {
        return Json.object()
                .put("children", Views.word(c.children()))
                .put("running", Views.word(c.running()))
                .put("critical", Views.word(c.critical()))
                .put("purge", Views.word(c.purge()))
                .put("unreachable", Views.word(c.unreachable()))
                .put("deadline", c.deadline().toSeconds() + "s")
                .put("work", Views.word(c.keeping().work()))
                .put("backup", Views.word(c.keeping().backup()))
                .put("ignored", Views.word(c.keeping().ignored()))
                .put("directories", Views.word(c.keeping().directories()));
    }

    public static @Nullable String text(@Nullable Instant at) {
        return at == null ? null : at.toString();
    }

    /** As it was found, and what has become of it. */
    public static ObjectNode shown(Member m, Removal r) {
        var outcome =
                switch (r.state()) {
                    case RemovalState.Purged _, RemovalState.Purging _ -> "deleted";
                    case RemovalState.Hiding _, RemovalState.Hidden _ -> "hidden";
                    case RemovalState.Undone _, RemovalState.Undoing _ -> "restored";
                    case RemovalState.Restoring _ -> "being_restored";
                    case RemovalState.TakenBack _, RemovalState.TakingBack _ -> "stays";
                    case RemovalState.Fencing _, RemovalState.Quiescing _ -> "to_be_removed";
                    case RemovalState.Preserving _, RemovalState.BackingUp _ -> "to_be_removed";
                    case RemovalState.Detaching _ -> "to_be_removed";
                };
        return Json.object()
                .put("outcome", outcome)
                .put("was_stopped", StateWord.ALIVE.contains(m.state()) && !m.givenUp())
                .put("was_given_up", m.givenUp())
                .put("session_id", m.id().value())
                .put("session_name", m.name())
                .put("parent_session_id", m.parent() == null ? null : m.parent().value())
                .put("state", m.state())
                .put("runs", m.runs());
    }

    public static ObjectNode shown(RemovalPlan plan) {
        var survey = plan.survey();
        var body =
                Json.object()
                        .put("session_id", plan.top().id().value())
                        .put("session_name", plan.top().name())
                        .put("digest", plan.digest())
                        .put("allowed", plan.objections().isEmpty())
                        .put("needs_confirm", plan.discards())
                        .put("sessions", survey.sessions())
                        .put("runs", survey.runs())
                        .put("live_runs", survey.liveRuns())
                        .put("leases", survey.leases())
                        .put("processes", plan.work().processes())
                        .put("open_callbacks", survey.openCallbacks())
                        .put("owed_callbacks", plan.owed())
                        .put("events", survey.events())
                        .put("event_bytes", survey.eventBytes());
        var states = body.putObject("sessions_by_state");
        survey.sessionsByState().forEach(states::put);
        body.set("choices", shown(plan.choices()));
        var running = body.putArray("running");
        plan.running().forEach(s -> running.add(shown(s)));
        var critical = body.putArray("critical_operations");
        for (var c : plan.critical()) {
            critical.add(Json.object().put("session_name", c.session()).put("what", c.what()));
        }
        var work = body.putArray("work");
        plan.work().items().stream()
                .filter(i -> i.kind().isWork())
                .forEach(i -> work.add(WorkViews.shown(i)));
        var unseen = body.putArray("not_looked_at");
        plan.work().unseenHosts().forEach(unseen::add);
        body.set("looks_failed", Json.tree(plan.work().failures()));
        var earlier = body.putArray("earlier_removals");
        for (var r : plan.earlier()) {
            earlier.add(
                    Json.object()
                            .put("removal_id", r.id().value())
                            .put("session_name", r.top().name())
                            .put("sessions", r.taken().sessions())
                            .put("undo_until", text(r.times().undoUntil()))
                            .put("backed_up", r.backup() != null));
        }
        var refusals = body.putArray("refusals");
        plan.objections().forEach(o -> refusals.add(shown(o)));
        return body;
    }

    private static ObjectNode shown(Session s) {
        return Json.object()
                .put("session_id", s.id().value())
                .put("session_name", s.name())
                .put("state", StateWord.of(s.state()));
    }

    /** Something that speaks against it besides. */
    public static void refuse(ObjectNode plan, String kind, Refusal refusal) {
        plan.put("allowed", false);
        plan.withArray("refusals")
                .add(
                        Json.object()
                                .put("kind", kind)
                                .put("code", refusal.code())
                                .put("said", refusal.said())
                                .put("advice", refusal.advice()));
    }

    private static ObjectNode shown(Objection o) {
        return Json.object()
                .put("kind", "operation_error")
                .put("code", o.code())
                .put("said", o.said())
                .put("advice", o.advice());
    }
}
