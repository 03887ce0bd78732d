package dev.coppice.view;

import dev.coppice.fleet.Quota;
import dev.coppice.kernel.Demands;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.RunWord;
import dev.coppice.session.Limits;
import dev.coppice.session.Limits.Kind;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.wire.run.DemandsView;
import dev.coppice.wire.run.RunView;
import dev.coppice.wire.session.HeadlineView;
import dev.coppice.wire.session.LimitsView;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;

/** Sessions and runs as the wire shows them. */
public final class Views {
    private Views() {}

    public static SessionView session(Session s) {
        return session(s, null);
    }

    public static SessionView session(Session s, @Nullable HeadlineView headline) {
        var parent = s.place().parent();
        var state = StateWord.of(s.state());
        var duration = s.times().duration();
        var binding = s.profile().binding();
        return new SessionView(
                s.id().value(),
                s.name(),
                Words.ofSession(state),
                state,
                s.state().why(),
                word(s.type()),
                parent == null ? null : parent.id().value(),
                parent == null ? null : parent.name(),
                s.place().root().value(),
                s.place().depth(),
                s.place().path(),
                s.times().created().toString(),
                text(s.times().started()),
                text(s.times().resumed()),
                text(s.times().ended()),
                duration == null ? null : duration.toMillis(),
                s.profile().projectDir(),
                s.profile().blueprint(),
                s.profile().sourceApp(),
                binding.executorSessionId(),
                binding.executorProfile(),
                binding.hostname(),
                shown(s.profile().metadata()),
                limits(s.limits()),
                word(s.standing().onParentEnd()),
                text(s.standing().abandoned()),
                text(s.standing().frozen()),
                s.standing().detachedFrom() == null ? null : s.standing().detachedFrom().value(),
                headline);
    }

    public static RunView run(Run r, Session s) {
        var parent = s.place().parent();
        var state = RunWord.of(r.state());
        var held = r.state().held();
        var end = r.state() instanceof RunState.Ended e ? e : null;
        var by = held != null ? held.holder() : end == null ? null : end.by();
        return new RunView(
                r.id().value(),
                r.session().value(),
                s.name(),
                word(r.type()),
                r.task().blueprint(),
                shown(r.task().parameters()),
                r.task().projectDir(),
                parent == null ? null : parent.id().value(),
                parent == null ? null : parent.name(),
                word(r.mode()),
                demands(r.demands()),
                Words.ofRun(state),
                state,
                by == null ? null : by.runner().value(),
                end == null || end instanceof RunState.Finished ? null : end.reason(),
                kindOf(end),
                r.marks().queued().toString(),
                text(r.marks().claimed()),
                text(r.marks().started()),
                text(r.marks().ended()),
                r.marks().unmatchedAt().toString(),
                r.result().text(),
                r.result().data() == null ? null : shown(r.result().data()));
    }

    /** A run with its session. Joins the current transaction. */
    public static RunView run(Run r, Sessions sessions) {
        return run(r, sessions.find(r.session()).orElseThrow(() -> orphan(r.session())));
    }

    private static IllegalStateException orphan(SessionId id) {
        return new IllegalStateException("a run belongs to the missing session " + id);
    }

    /** The kind of a failure, so that programs need not parse its reason. */
    private static @Nullable String kindOf(RunState.@Nullable Ended end) {
        return switch (end) {
            case RunState.Failed(_, var reason, _) when Quota.isMet(reason) -> "rate_limited";
            case null, default -> null;
        };
    }

    public static LimitsView limits(Limits l) {
        return new LimitsView(
                l.of(Kind.DEPTH),
                l.of(Kind.CHILDREN),
                l.of(Kind.DESCENDANTS),
                l.of(Kind.RUNS),
                l.of(Kind.EVENT_BYTES),
                l.of(Kind.METADATA_BYTES),
                l.of(Kind.OUTPUT_BYTES),
                l.of(Kind.PROCESSES),
                l.of(Kind.MEMORY_BYTES));
    }

    public static DemandsView demands(Demands d) {
        return new DemandsView(
                d.hostname(),
                d.projectDir(),
                d.executorProfile(),
                d.executorType(),
                List.copyOf(d.tags()).stream().sorted().toList());
    }

    /** Parses a text in order to read it. */
    public static JsonNode json(JsonText text) {
        return Json.read(text.value());
    }

    /** A text as a part of an answer. It takes no more memory than the text. */
    public static JsonNode shown(JsonText text) {
        return Json.stored(text.value());
    }

    public static String word(Enum<?> value) {
        return Shape.word(value);
    }

    public static @Nullable String text(@Nullable Instant at) {
        return at == null ? null : at.toString();
    }
}
