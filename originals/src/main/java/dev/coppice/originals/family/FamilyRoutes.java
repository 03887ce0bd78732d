package dev.coppice.originals.family;

import com.fasterxml.jackson.annotation.JsonProperty;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.boot.Ground;
import dev.coppice.hooks.Declarations;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.Observation;
import dev.coppice.originals.family.Families.Member;
import dev.coppice.originals.family.Families.Pair;
import dev.coppice.request.Reply;
import dev.coppice.session.Session;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;

/** Related sessions, on the paths of the relationship server. */
final class FamilyRoutes {
    private static final int SESSIONS_MAX = 1_000;
    private static final int LEVELS = 5;
    private static final List<String> TYPES =
            List.of("parent/child", "sibling", "continuation", "wave_member");
    private static final List<String> REASONS =
            List.of(
                    "subagent_delegation",
                    "wave_orchestration",
                    "task_tool",
                    "continuation",
                    "manual");
    private static final List<String> DELEGATIONS = List.of("parallel", "sequential", "isolated");

    private final Transactions transactions;
    private final Families families;
    private final Declarations declarations;
    private final Access access;
    private final Ids ids;
    private final InstantSource clock;

    FamilyRoutes(Ground parts, Families families) {
        this.transactions = parts.scope().transactions();
        this.families = families;
        this.declarations = new Declarations(parts.recorder(), parts.clock());
        this.access = parts.scope().access();
        this.ids = parts.ids();
        this.clock = parts.clock();
    }

    List<Route> routes() {
        return List.of(
                new Route(FamilyCalls.TREE, Need.READ, x -> Reply.ok(new Tree(tree(x)))),
                new Route(FamilyCalls.SAME_TREE, Need.READ, x -> Reply.ok(new SameTree(tree(x)))),
                new Route(FamilyCalls.RELATIVES, Need.READ, this::relatives),
                new Route(FamilyCalls.CHILDREN, Need.READ, this::children),
                new Route(FamilyCalls.DEPTH, Need.READ, this::depth),
                new Route(FamilyCalls.STATISTICS, Need.READ, this::statistics),
                new Route(FamilyCalls.ANALYTICS, Need.READ, this::statistics),
                new Route(FamilyCalls.SPAWN, Need.REPORT, this::spawn),
                new Route(FamilyCalls.RELATE, Need.REPORT, this::relate),
                new Route(FamilyCalls.COMPLETE, Need.REPORT, x -> ended(x, x.path("child"))),
                new Route(
                        FamilyCalls.CHILD_COMPLETED,
                        Need.REPORT,
                        x -> ended(x, text(x.json(), "child_session_id"))));
    }

    private record Tree(FamilyNode tree) {}

    private record SameTree(@JsonProperty("hierarchy") FamilyNode tree) {}

    private record Depth(int depth) {}

    private record Done(boolean success) {}

    /** The pages read {@code children}, and the server of the original answered the bare list. */
    private record Children(List<FamilyNode> children) {}

    private List<Member> family(Exchange x, int levels) {
        var id = visible(x, x.path("session_id")).id();
        return transactions.read(() -> families.family(id, levels, SESSIONS_MAX));
    }

    private Session visible(Exchange x, String id) {
        return visible(x, Need.READ, id);
    }

    private Session visible(Exchange x, Need need, String id) {
        if (!SessionId.isValid(id)) throw new Rejected(new SessionRefusal.SessionUnknown(id));
        var found = transactions.read(() -> access.session(x.caller(), need, new SessionId(id)));
        return switch (found) {
            case Outcome.Done<Session>(var session) -> session;
            case Outcome.Refused<Session>(var refusal) -> throw new Rejected(refusal);
        };
    }

    /** Returns the need to name a session: a sender may report, but not read. */
    private static Need naming(Exchange x) {
        return x.caller().role() == Role.INGEST ? Need.REPORT : Need.READ;
    }

    private static int levels(Exchange x) {
        var asked = x.query("maxDepth");
        if (asked == null) return LEVELS;
        try {
            int levels = Integer.parseInt(asked);
            if (levels >= 0 && levels <= Bounds.TREE_DEPTH_MAX) return levels;
        } catch (NumberFormatException _) {
            // Refused below, as a number out of range is.
        }
        var rule = "a whole number from 0 to " + Bounds.TREE_DEPTH_MAX;
        throw new Rejected(new RequestRefusal.BadValue("maxDepth", asked, rule));
    }

    private FamilyNode tree(Exchange x) {
        return FamilyNode.of(family(x, levels(x)));
    }

    private Reply children(Exchange x) {
        return Reply.ok(new Children(FamilyNode.of(family(x, 1)).children()));
    }

    private Reply depth(Exchange x) {
        return Reply.ok(new Depth(visible(x, x.path("session_id")).place().depth()));
    }

    /** The original's answer, and the list that its pages read in it. */
    private record Relatives(
            FamilyNode session,
            @Nullable FamilyNode parent,
            List<FamilyNode> children,
            List<FamilyNode> siblings,
            List<FamilyNode> continuations,
            int depth,
            String path,
            List<FamilyNode> relationships) {}

    private Reply relatives(Exchange x) {
        var own = FamilyNode.of(family(x, levels(x)));
        var parentId = own.parentSessionId();
        boolean seesParent =
                parentId != null
                        && transactions.read(
                                () -> access.sees(x.caller(), new SessionId(parentId)));
        var above = seesParent ? above(Objects.requireNonNull(parentId)) : null;
        var siblings = new LinkedHashMap<String, FamilyNode>();
        var continuations = new LinkedHashMap<String, FamilyNode>();
        if (above != null) above.children().forEach(s -> siblings.put(s.sessionId(), s));
        for (var other : related(x, new SessionId(own.sessionId()))) {
            boolean isSibling = "sibling".equals(other.relationshipType());
            (isSibling ? siblings : continuations).putIfAbsent(other.sessionId(), other);
        }
        siblings.remove(own.sessionId());
        return Reply.ok(
                new Relatives(
                        own,
                        above == null ? null : above.alone(),
                        own.children(),
                        List.copyOf(siblings.values()),
                        List.copyOf(continuations.values()),
                        own.depth(),
                        own.path(),
                        own.children()));
    }

    private List<FamilyNode> related(Exchange x, SessionId session) {
        return transactions.read(() ->
                families.related(session, SESSIONS_MAX).stream()
                        .filter(m -> access.sees(x.caller(), m.id()))
                        .map(FamilyNode::node)
                        .toList());
    }

    private FamilyNode above(String parent) {
        return FamilyNode.of(
                transactions.read(() -> families.family(new SessionId(parent), 1, SESSIONS_MAX)));
    }

    private Reply statistics(Exchange x) {
        if (x.caller().session() != null) {
            throw new Rejected(new RequestRefusal.NotAllowed("count the pairs of all sessions"));
        }
        var from = time(x, "start", Instant.EPOCH);
        var until = time(x, "end", clock.instant().plusSeconds(1));
        return Reply.ok(FamilyStatistics.of(transactions.read(() -> families.count(from, until))));
    }

    private static Instant time(Exchange x, String name, Instant otherwise) {
        var asked = x.query(name);
        if (asked == null) return otherwise;
        try {
            return Instant.ofEpochMilli(Long.parseLong(asked));
        } catch (NumberFormatException _) {
            throw new Rejected(new RequestRefusal.BadValue(name, asked, "a time in milliseconds"));
        }
    }

    private record Spawned(String childSessionId, Relationship relationship) {}

    private record Relationship(
            String parentSessionId,
            String childSessionId,
            String relationshipType,
            @Nullable String spawnReason,
            @Nullable String delegationType) {
        static Relationship of(SessionId parent, SessionId child, Pair pair) {
            return new Relationship(
                    parent.value(), child.value(), pair.type(), pair.reason(), pair.delegation());
        }
    }

    private Reply spawn(Exchange x) {
        var context = x.json().path("spawn_context");
        var parent = id("parent_session_id", text(x.json(), "parent_session_id"));
        var child = new SessionId("session_%d_%s".formatted(clock.millis(), ids.twelveHex()));
        var wave = context.path("wave_id").asString("");
        if (wave.length() > Bounds.LABEL_CHARS_MAX || wave.indexOf(0) >= 0) {
            var rule = "at most %d characters".formatted(Bounds.LABEL_CHARS_MAX);
            throw new Rejected(new RequestRefusal.BadValue("wave_id", wave, rule));
        }
        boolean isWave = !wave.isEmpty();
        var pair =
                new Pair(
                        isWave ? "wave_member" : "parent/child",
                        isWave ? "wave_orchestration" : "subagent_delegation",
                        among("delegation_type", context, DELEGATIONS),
                        context.isObject() ? context.toString() : null);
        var hints =
                new Observation.Hints(
                        null,
                        context.path("agent_name").asString(null),
                        isWave ? wave : null,
                        parent,
                        null,
                        Observation.Moment.WORKS);
        transactions.write(() -> {
            declarations.record(x, child, "SessionSpawn", hints);
            return families.describe(parent, child, pair);
        });
        return Reply.ok(new Spawned(child.value(), Relationship.of(parent, child, pair)));
    }

    private Reply relate(Exchange x) {
        var body = x.json();
        var parent = id("parent_session_id", text(body, "parent_session_id"));
        var child = id("child_session_id", text(body, "child_session_id"));
        var type = among("relationship_type", body, TYPES);
        var pair =
                new Pair(
                        type == null ? TYPES.getFirst() : type,
                        among("spawn_reason", body, REASONS),
                        among("delegation_type", body, DELEGATIONS),
                        body.path("spawn_metadata").isObject()
                                ? body.get("spawn_metadata").toString()
                                : null);
        if (parent.equals(child)) {
            throw new Rejected(new SessionRefusal.ParentIsItself(child));
        }
        transactions.write(() -> related(x, parent, child, pair));
        return new Reply.Body(201, Relationship.of(parent, child, pair));
    }

    private boolean related(Exchange x, SessionId parent, SessionId child, Pair pair) {
        boolean isFamily =
                pair.type().equals(TYPES.getFirst()) || pair.type().equals(TYPES.getLast());
        var none = Observation.Moment.NONE;
        if (!isFamily) {
            var hints = new Observation.Hints(null, null, null, null, null, none);
            declarations.record(x, parent, "RelationshipDeclared", hints);
            declarations.record(x, child, "RelationshipDeclared", hints);
            families.declare(parent, child, pair, clock.instant());
            return true;
        }
        // A declaration cannot move the child: only the child's own events do.
        if (access.session(x.caller(), naming(x), child)
                instanceof Outcome.Done<Session>(var known)) {
            var has = known.place().parentId();
            if (!parent.equals(has)) {
                throw new Rejected(new SessionRefusal.ParentIsFixed(child, has, parent));
            }
        }
        declarations.record(
                x,
                child,
                "RelationshipDeclared",
                new Observation.Hints(null, null, null, parent, null, none));
        return families.describe(parent, child, pair);
    }

    private Reply ended(Exchange x, String childId) {
        var child = id("child_session_id", childId);
        visible(x, naming(x), childId);
        var data = x.json().path("completion_data");
        boolean failed =
                data.path("status").asString("").equals("failed")
                        || !data.path("error").asString("").isEmpty();
        var moment = failed ? Observation.Moment.FAILS : Observation.Moment.ENDS;
        transactions.write(() -> {
            declarations.record(
                    x,
                    child,
                    "ChildCompleted",
                    new Observation.Hints(null, null, null, null, null, moment));
            return true;
        });
        return Reply.ok(new Done(true));
    }

    private static String text(JsonNode body, String field) {
        var text = body.path(field).asString("");
        if (text.isEmpty()) throw new Rejected(new RequestRefusal.BadValue(field, "", "given"));
        return text;
    }

    private static SessionId id(String field, String text) {
        if (SessionId.isValid(text)) return new SessionId(text);
        throw new Rejected(new RequestRefusal.BadValue(field, text, SessionId.RULE));
    }

    private static @Nullable String among(String field, JsonNode body, List<String> words) {
        var word = body.path(field).asString("");
        if (word.isEmpty()) return null;
        if (words.contains(word)) return word;
        throw new Rejected(
                new RequestRefusal.BadValue(field, word, "one of " + String.join(", ", words)));
    }
}
