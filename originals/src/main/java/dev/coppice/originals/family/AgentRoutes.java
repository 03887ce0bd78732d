package dev.coppice.originals.family;

import dev.coppice.access.Need;
import dev.coppice.boot.Ground;
import dev.coppice.hooks.Declarations;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Observation;
import dev.coppice.originals.family.Families.Agent;
import dev.coppice.originals.page.PageCalls;
import dev.coppice.request.Inputs;
import dev.coppice.request.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Agents, hooks and names, on the paths of the relationship server. */
final class AgentRoutes {
    private static final int AGENTS_MAX = 10_000;
    private static final int HOURS = 24;

    /** The types that the pages know, without those that events bring. */
    private static final List<String> TYPES =
            List.of(
                    "analyzer",
                    "builder",
                    "debugger",
                    "generic",
                    "optimizer",
                    "reviewer",
                    "tester",
                    "writer");

    private final Ground parts;
    private final Families families;
    private final AgentNames agentNames;
    private final Declarations declarations;

    AgentRoutes(Ground parts, Families families, AgentNames agentNames) {
        this.parts = parts;
        this.families = families;
        this.agentNames = agentNames;
        this.declarations = new Declarations(parts.recorder(), parts.clock());
    }

    List<Route> routes() {
        return List.of(
                new Route(AgentCalls.CURRENT, Need.READ, x -> ok(span(x, today()).current())),
                new Route(AgentCalls.TIMELINE, Need.READ, x -> ok(span(x, HOURS).timeline())),
                new Route(AgentCalls.TYPES, Need.READ, x -> ok(since(x, today()).types())),
                new Route(AgentCalls.PERFORMANCE, Need.READ, this::performance),
                new Route(AgentCalls.TOOLS, Need.READ, x -> ok(hooks(x).tools())),
                new Route(AgentCalls.HEALTH, Need.READ, _ -> ok(health())),
                new Route(AgentCalls.TERMINAL, Need.READ, x -> ok(terminal(x.caller().session()))),
                new Route(AgentCalls.COLORS, Need.READ, x -> ok(colors(x))),
                new Route(AgentCalls.STARTED, Need.REPORT, this::started),
                new Route(AgentCalls.COMPLETED, Need.REPORT, this::completed),
                new Route(AgentCalls.COVERAGE, Need.READ, x -> ok(hooks(x).coverage())),
                new Route(AgentCalls.CONTEXT, Need.READ, x -> ok(hooks(x).context(type(x)))),
                new Route(AgentCalls.EXECUTION, Need.READ, x -> ok(hooks(x).context(type(x)))),
                new Route(AgentCalls.METRICS, Need.READ, x -> ok(hooks(x).metrics(type(x)))),
                new Route(AgentCalls.EVENTS, Need.READ, this::events),
                new Route(AgentCalls.CORRELATED, Need.READ, this::correlated),
                new Route(AgentCalls.AGENT_NAME, Need.READ, this::agentName),
                new Route(AgentCalls.NAME_AGENT, Need.REPORT, this::nameAgent),
                new Route(AgentCalls.SESSION_NAME, Need.READ, this::sessionName),
                new Route(AgentCalls.FALLBACK, Need.READ, _ -> ok(Fallback.at(now()))),
                new Route(AgentCalls.FALLBACK_HEALTH, Need.READ, _ -> ok(fallbackHealth())),
                new Route(AgentCalls.TEST_REDIS, Need.REPORT, _ -> ok(Fallback.at(now()))));
    }

    private static Reply ok(Object answer) {
        return Reply.ok(answer);
    }

    private long now() {
        return parts.clock().millis();
    }

    /** Throws if the database cannot be read, which is answered with 503. */
    private ServerHealth health() {
        parts.scope().transactions().read(() -> parts.observations().head());
        return ServerHealth.at(now());
    }

    private record FallbackHealth(
            String status,
            boolean redisAvailable,
            boolean fallbackEnabled,
            String operationalMode,
            long timestamp) {}

    private FallbackHealth fallbackHealth() {
        return new FallbackHealth("healthy", false, true, "fallback", now());
    }

    /** There is no Redis to fall back from: everything is in the database. */
    private record Fallback(
            Map<String, Boolean> redis,
            Map<String, Boolean> fallbackStorage,
            Overall overallStatus) {
        static Fallback at(long now) {
            return new Fallback(
                    Map.of("connected", false),
                    Map.of("enabled", true),
                    new Overall("fallback", true, now));
        }
    }

    private record Overall(String mode, boolean operational, long lastUpdate) {}

    private Instant today() {
        return parts.clock()
                .instant()
                .atZone(ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.DAYS)
                .toInstant();
    }

    private AgentFigures span(Exchange x, int hours) {
        return span(x, parts.clock().instant().minus(Duration.ofHours(hours)));
    }

    /** The agents of the period that was asked for, or since a time. */
    private AgentFigures span(Exchange x, Instant absent) {
        var asked = asked(x, AgentCalls.CURRENT);
        var start = asked.start();
        var end = asked.end();
        if (start != null && end != null) {
            return between(x, Instant.ofEpochMilli(start), Instant.ofEpochMilli(end));
        }
        var hours = asked.hours();
        return since(
                x, hours == null ? absent : parts.clock().instant().minus(Duration.ofHours(hours)));
    }

    /** The input of a call, from the path and the query. */
    private static <I extends Record> I asked(Exchange x, Call<I, ?> call) {
        return Inputs.read(
                call.input(),
                part -> {
                    boolean isInPath = call.where(part) == Call.Where.PATH;
                    var value = isInPath ? x.path(part.name()) : x.query(part.name());
                    return value == null ? null : Json.tree(value);
                });
    }

    private AgentFigures since(Exchange x, Instant from) {
        return between(x, from, Instant.ofEpochMilli(Long.MAX_VALUE));
    }

    private AgentFigures between(Exchange x, Instant from, Instant until) {
        return figures(x.caller().session(), from, until);
    }

    private AgentFigures figures(@Nullable SessionId within, Instant from, Instant until) {
        List<Agent> found =
                parts.scope()
                        .transactions()
                        .read(() -> families.agents(within, from, until, AGENTS_MAX));
        return new AgentFigures(found, parts.clock().instant());
    }

    /** The agents at work, for a page that sees this session and all below it, or everything. */
    AgentFigures.Terminal terminal(@Nullable SessionId within) {
        return figures(within, today(), Instant.ofEpochMilli(Long.MAX_VALUE)).terminal();
    }

    private Reply performance(Exchange x) {
        var asked = asked(x, AgentCalls.PERFORMANCE);
        var from = parts.clock().instant().minus(Duration.ofDays(asked.days()));
        return ok(since(x, from).performance(asked.name()));
    }

    /** A color for each type, from its letters, so that it stays the same. */
    private Map<String, String> colors(Exchange x) {
        var colors = new TreeMap<String, String>();
        TYPES.forEach(type -> colors.put(type, color(type)));
        for (var type : since(x, today()).types().distribution()) {
            colors.put(type.type(), color(type.type()));
        }
        return colors;
    }

    private static String color(String type) {
        int mixed = type.hashCode() * 0x9E3779B1;
        // Each part from 0x40 to 0xBF, readable on light and dark backgrounds.
        return "#%02x%02x%02x"
                .formatted(
                        0x40 + (mixed >>> 25),
                        0x40 + (mixed >>> 17 & 0x7F),
                        0x40 + (mixed >>> 9 & 0x7F));
    }

    private HookFigures hooks(Exchange x) {
        var newest =
                parts.scope()
                        .transactions()
                        .read(() ->
                                parts.observations()
                                        .recent(x.caller().session(), PageCalls.RECENT_MAX));
        return new HookFigures(newest, parts.clock().instant());
    }

    private static String type(Exchange x) {
        return asked(x, AgentCalls.CONTEXT).type();
    }

    private Reply events(Exchange x) {
        var asked = asked(x, AgentCalls.CONTEXT);
        return list(hooks(x).texts(asked.type(), asked.limit()));
    }

    private Reply correlated(Exchange x) {
        var asked = asked(x, AgentCalls.CORRELATED);
        return list(hooks(x).correlated(asked.correlationId(), asked.limit()));
    }

    private static Reply list(List<String> texts) {
        var body = texts.stream().collect(Collectors.joining(",", "[", "]"));
        return new Reply.Text(200, "application/json", body);
    }

    private record Started(String agentId) {}

    private record Done(boolean success) {}

    /** An agent is a child of its session; without one it is a session of its own. */
    private Reply started(Exchange x) {
        var sent = x.json();
        var parent = text(sent, "session_id");
        var id = text(sent, "agent_id");
        var agent = id.isEmpty() ? "agent_" + parts.ids().twelveHex() : id;
        var type = text(sent, "agent_type");
        var label = type.isEmpty() ? text(sent, "agent_name") : type;
        var hints =
                new Observation.Hints(
                        given(text(sent, "source_app")),
                        given(label),
                        null,
                        parent.isEmpty() ? null : sessionId("session_id", parent),
                        null,
                        Observation.Moment.WORKS);
        declare(x, sessionId("agent_id", agent), "AgentStarted", hints);
        return ok(new Started(agent));
    }

    private Reply completed(Exchange x) {
        var sent = x.json();
        var id = text(sent, "agent_id");
        if (id.isEmpty()) return ok(new Done(false));
        boolean isFailed =
                List.of("failed", "failure", "error").contains(text(sent, "status"))
                        || !text(sent, "error").isEmpty();
        var moment = isFailed ? Observation.Moment.FAILS : Observation.Moment.ENDS;
        var hints =
                new Observation.Hints(
                        given(text(sent, "source_app")), null, null, null, null, moment);
        declare(x, sessionId("agent_id", id), "AgentCompleted", hints);
        return ok(new Done(true));
    }

    private static @Nullable String given(String text) {
        return text.isEmpty() ? null : text;
    }

    private void declare(Exchange x, SessionId of, String type, Observation.Hints hints) {
        parts.scope()
                .transactions()
                .write(() -> {
                    declarations.record(x, of, type, hints);
                    return hints;
                });
    }

    private static String text(JsonNode sent, String field) {
        var text = sent.path(field).asString("");
        if (text.length() > Bounds.LABEL_CHARS_MAX || text.indexOf(0) >= 0) {
            var rule = "at most %d characters".formatted(Bounds.LABEL_CHARS_MAX);
            throw new Rejected(new RequestRefusal.BadValue(field, text, rule));
        }
        return text;
    }

    private static SessionId sessionId(String field, String text) {
        if (SessionId.isValid(text)) return new SessionId(text);
        throw new Rejected(new RequestRefusal.BadValue(field, text, SessionId.RULE));
    }

    private record Name(String name) {}

    /** The original's envelope. */
    private record Named(boolean success, @Nullable Name data) {
        static Named of(@Nullable String name) {
            return new Named(name != null, name == null ? null : new Name(name));
        }
    }

    private Reply agentName(Exchange x) {
        var key = asked(x, AgentCalls.AGENT_NAME).key();
        return ok(
                Named.of(
                        parts.scope()
                                .transactions()
                                .read(() -> agentNames.find(x.caller().session(), key))
                                .orElse(null)));
    }

    private Reply nameAgent(Exchange x) {
        var sent = x.json();
        var key = text(sent, "cache_key");
        var name = text(sent, "name");
        if (key.isEmpty() || name.isEmpty()) {
            var field = key.isEmpty() ? "cache_key" : "name";
            throw new Rejected(new RequestRefusal.BadValue(field, "", "given"));
        }
        var stored =
                parts.scope()
                        .transactions()
                        .write(() -> {
                            var now = parts.clock().instant();
                            agentNames.put(x.caller().session(), key, name, now);
                            return Named.of(name);
                        });
        return ok(stored);
    }

    private Reply sessionName(Exchange x) {
        var key = asked(x, AgentCalls.AGENT_NAME).key();
        if (!SessionId.isValid(key)) return ok(Named.of(null));
        var found =
                parts.scope()
                        .transactions()
                        .read(() ->
                                parts.scope()
                                        .access()
                                        .session(x.caller(), Need.READ, new SessionId(key))
                                        .map(session -> session.name()));
        return ok(Named.of(found instanceof Outcome.Done<String>(var name) ? name : null));
    }
}
