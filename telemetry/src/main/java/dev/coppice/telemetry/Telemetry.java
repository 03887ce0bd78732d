package dev.coppice.telemetry;

import dev.coppice.access.Caller;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.Observation;
import dev.coppice.observe.Observation.Moment;
import dev.coppice.observe.Observations.Evidence;
import dev.coppice.observe.RecordObservations;
import dev.coppice.observe.RecordObservations.Place;
import dev.coppice.usage.ModelUse;
import dev.coppice.usage.RecordUse;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Records what programs export: sessions, agents and their edges, and uses of models. */
final class Telemetry {
    /** Other callers write between the parts of an export. */
    private static final int AT_ONCE = 50;

    private static final int APP_CHARS_MAX = 200;

    private final Transactions transactions;
    private final RecordObservations observe;
    private final RecordUse uses;
    private final InstantSource clock;
    private final SpanTree spans = new SpanTree();

    Telemetry(
            Transactions transactions,
            RecordObservations observe,
            RecordUse uses,
            InstantSource clock) {
        this.transactions = transactions;
        this.observe = observe;
        this.uses = uses;
        this.clock = clock;
    }

    /** Returns how many are rejected: malformed, or not in the caller's part of the tree. */
    int take(List<Exported> all, Caller by) {
        var sound = new ArrayList<Exported.Span>();
        for (var one : all) {
            if (one instanceof Exported.Span span && span.hasIds()) sound.add(span);
        }
        spans.saw(sound, by);
        var owned = new HashSet<String>();
        int rejected = 0;
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            var part = all.subList(from, Math.min(all.size(), from + AT_ONCE));
            var about = part.stream().map(Telemetry::about).toList();
            rejected +=
                    transactions.write(() -> {
                        int without = 0;
                        for (var one : about) if (!take(one, owned, by)) without++;
                        return without;
                    });
        }
        spans.keep(sound, owned, by);
        return rejected;
    }

    /** A record, the session that it names, and the use of a model that it reports. */
    private record About(Exported record, @Nullable String session, @Nullable ModelUse use) {}

    private static About about(Exported one) {
        var session =
                one.attributes().text("session.id", "gen_ai.conversation.id", "conversation.id");
        return new About(one, session, session == null ? null : Told.use(one));
    }

    /** Joins the current transaction. False for a rejected record, but not for an ignored one. */
    private boolean take(About about, Set<String> owned, Caller by) {
        var one = about.record();
        if (one instanceof Exported.Span span && !span.hasIds()) return false;
        var session = about.session();
        if (session == null) return true;
        if (!SessionId.isValid(session)) return false;
        var id = new SessionId(session);
        var place = place(one, id, by);
        if (!(place instanceof Outcome.Done<Place>(var known))) return false;
        if (about.use() != null) uses.record(known.node(), known.main(), about.use());
        if (one instanceof Exported.Span span) {
            owned.add(span.trace());
            if (isForeignTool(span)) tool(span, id, by);
        }
        return true;
    }

    private Outcome<Place> place(Exported one, SessionId session, Caller by) {
        var a = one.attributes();
        var agent = a.text("agent_id");
        if (agent != null) {
            var seen = seen(one, session, agent);
            // Only spans name an agent's parent, or show that it has none.
            return one instanceof Exported.Span
                    ? observe.relate(seen, a.text("parent_agent_id"), Evidence.TELEMETRY, by)
                    : observe.place(seen, by);
        }
        if (!(one instanceof Exported.Span span)) {
            return observe.place(seen(one, session, null), by);
        }
        var path = spans.agents(span, by);
        if (path.isEmpty()) return observe.place(seen(one, session, null), by);
        var seen = seen(one, session, path.getFirst());
        var above = path.size() == 1 ? null : path.get(1);
        return observe.relate(seen, above, Evidence.TELEMETRY, by);
    }

    private Observation seen(Exported one, SessionId session, @Nullable String agent) {
        var app = one.attributes().text("service.name");
        var name = app == null ? "agent" : app;
        // A clock that is ahead must not hide later events.
        var now = clock.instant();
        var at = one.at().isAfter(now) ? now : one.at();
        var label = name.length() > APP_CHARS_MAX ? name.substring(0, APP_CHARS_MAX) : name;
        return Observation.telemetry(session, agent, label, moment(one), at);
    }

    /** A span is exported after its end, so only an agent's end tells a present state. */
    private static Moment moment(Exported one) {
        if (!(one instanceof Exported.Span span)) return Moment.NONE;
        if (!SpanTree.isAgent(span)) return Moment.NONE;
        return span.outcome() == Exported.Span.Outcome.FAILED ? Moment.FAILS : Moment.ENDS;
    }

    /** Claude Code and Codex report their tools by hooks. */
    private static boolean isForeignTool(Exported.Span span) {
        return "execute_tool".equals(span.attributes().text("gen_ai.operation.name"))
                && !span.name().startsWith("claude_code.");
    }

    private void tool(Exported.Span span, SessionId session, Caller by) {
        var a = span.attributes();
        boolean hasFailed = span.outcome() == Exported.Span.Outcome.FAILED;
        var type = hasFailed ? "PostToolUseFailure" : "PostToolUse";
        var path = spans.agents(span, by);
        var seen = seen(span, session, path.isEmpty() ? null : path.getFirst());
        var document =
                Json.object()
                        .put("source_app", seen.hints().app())
                        .put("session_id", session.value())
                        .put("hook_event_type", type);
        var use = a.text("gen_ai.tool.call.id");
        document.putObject("payload")
                .put("tool_name", a.text("gen_ai.tool.name"))
                .put("tool_use_id", use == null ? span.id() : use)
                .put("duration_ms", span.at().toEpochMilli() - span.from().toEpochMilli());
        var body = Json.write(document);
        int bytes = body.getBytes(StandardCharsets.UTF_8).length;
        var event =
                new Observation(
                        session,
                        seen.agent(),
                        type,
                        seen.sentAt(),
                        new Observation.Message(new JsonText(body), bytes),
                        seen.hints());
        observe.record(List.of(event), by);
    }
}
