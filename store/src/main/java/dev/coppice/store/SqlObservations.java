package dev.coppice.store;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.observe.Observation;
import dev.coppice.observe.Observation.Spawn;
import dev.coppice.observe.Observations;
import dev.coppice.session.Profile;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.store.session.SubtreeEvents;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Stores the events that agents send. */
public final class SqlObservations implements Observations {
    private static final Sql LOOK =
            Sql.of(
                    """
                    select s.key, s.root, s.tree, s.trail, s.id, s.state, s.since, s.started_at,
                        r.id as root_id, r.event_bytes_max, p.id as parent_id,
                        case when s.executor_profile = :observed then 1 else 0 end as is_observed,
                        coalesce(b.events, 0) as bytes
                    from session s
                    join any_session r on r.key = s.root
                    left join any_session p on p.key = s.parent
                    left join tree_bytes b on b.tree = s.tree
                    where s.id = :id
                    """);
    private static final Sql TOLD_FIRST = Tables.insert("session_source");
    private static final Sql IS_TOLD_FIRST =
            Sql.of(
                    """
                    select count(*) from any_session s
                    left join session_source o on o.session = s.key
                    where s.id = :id and (o.source = :source or (o.source is null and exists (
                        select 1 from outside_process p where p.session = s.key)))
                    """);
    private static final Sql RUN_OF =
            Sql.of(
                    """
                    select id from any_session
                    where executor_session_id = :program and executor_profile <> :observed
                    and not exists (
                        select 1 from any_session v join session_source o on o.session = v.key
                        where v.id = :program)
                    order by key desc limit 1
                    """);
    private static final Sql APPEND =
            Tables.insert("event", "run", "gone_id", "gone_trail", "answer")
                    .followedBy("returning number");
    private static final Sql RELATE =
            Sql.of(
                    """
                    update relationship set type = :type, reason = :reason, evidence = :evidence,
                        confidence = :confidence
                    where parent_id = :parent and child_id = :child
                    """);

    private static final Sql CERTAIN =
            Sql.of(
                    """
                    select count(*) from relationship
                    where parent_id = :parent and child_id = :child and evidence <> :guess
                    """);
    private static final Sql CALLED =
            Tables.insert("spawn_call", "agent", "is_answered")
                    .followedBy("on conflict (session, call) do nothing");
    private static final Duration CALL_AGE_MAX = Duration.ofDays(1);
    private static final Sql OLD_CALLS =
            Sql.of("delete from spawn_call where session = :session and at < :before");
    private static final Sql CALLER =
            Sql.of(
                    """
                    select c.key, c.caller from spawn_call c
                    where c.session = :session and c.at >= :since and c.type = :type
                    and c.agent is null and c.is_answered = 0
                    and not exists (
                        select 1 from spawn_call x
                        where x.session = :session and x.agent = :agent)
                    order by c.at, c.key limit 1
                    """);
    private static final Sql TAKE = Sql.of("update spawn_call set agent = :agent where key = :key");
    private static final Sql FREE =
            Sql.of(
                    """
                    update spawn_call set agent = null
                    where session = :session and agent = :agent and call <> :call
                    and is_answered = 0
                    """);
    private static final Sql ANSWERED_CALL =
            Sql.of(
                    """
                    insert into spawn_call (session, call, caller, type, at, agent, is_answered)
                    values (:session, :call, '', '', :at, :agent, 1)
                    on conflict (session, call) do update set
                        agent = excluded.agent, is_answered = 1
                    """);

    private static final String SENT =
            """
            select e.number, e.session_id, coalesce(e.sent_at, e.at) as sent_at, e.body, e.answer
            from event e join session s on s.key = e.session
            """;
    private static final Sql FIND =
            Sql.of(SENT + "where e.number = :number and e.sent_at is not null");
    private static final String NEWEST =
            " order by coalesce(e.sent_at, e.at) desc, e.number desc limit :max";
    private static final String NEWEST_NUMBERS =
            "select e.number from event e join session s on s.key = e.session"
                    + " where e.sent_at is not null"
                    + NEWEST;
    private static final String NEWEST_NUMBERS_BELOW =
            "select e.number from "
                    + SubtreeEvents.TABLES
                    + " where s.key = e.session and s.id = e.session_id"
                    + " and e.sent_at is not null and s.trail >= :trail and s.trail < :end"
                    + NEWEST;

    /** Reads numbers first: sorting whole bodies takes seconds. */
    private static final Sql RECENT = Sql.of(NEWEST_NUMBERS);

    private static final SubtreeEvents RECENT_BELOW = new SubtreeEvents(NEWEST_NUMBERS_BELOW);

    /** Bodies read at once; each may have a megabyte. */
    private static final int BODIES_AT_ONCE = 8;

    private static final Sql FIND_SOME =
            Sql.of(
                    SENT
                            + IntStream.range(0, BODIES_AT_ONCE)
                                    .mapToObj(i -> ":n" + i)
                                    .collect(Collectors.joining(", ", "where e.number in (", ")")));

    private static final String NAMES =
            """
            select distinct s.id, s.source_app, e.type
            from event e join session s on s.key = e.session
            where e.number in (\
            """;

    /** An index on names would cost more than any other part of storing an event. */
    private static final Sql NEWEST_NAMES = Sql.of(NAMES + NEWEST_NUMBERS + ")");

    private static final SubtreeEvents NEWEST_NAMES_BELOW =
            new SubtreeEvents(NAMES + NEWEST_NUMBERS_BELOW + ")");

    /** A page shows the newest 300 events, and selects among them. */
    private static final int NAMED_EVENTS_MAX = 2_000;

    private static final Sql HEAD = Sql.of("select coalesce(max(number), 0) from event");
    private static final Sql ANSWER =
            Sql.of("update event set answer = :answer where number = :number");

    private static final Sql TYPES = Sql.of("select type from sent_type order by type limit :max");
    private static final Sql ADD_TYPE =
            Sql.of("insert into sent_type (type) values (:type) on conflict (type) do nothing");

    @Override
    public Optional<Seen> look(SessionId id) {
        return Tx.call(LOOK)
                .set("id", id.value())
                .set("observed", Profile.OBSERVED)
                .first(SqlObservations::seen);
    }

    private static Seen seen(Row row) throws SQLException {
        var id = new SessionId(row.text("id"));
        new Keys(row.number("key"), row.number("root"), row.number("tree"), row.text("trail"))
                .remember(id);
        var parent = row.textOrNull("parent_id");
        return new Seen(
                id,
                new SessionId(row.text("root_id")),
                parent == null ? null : new SessionId(parent),
                row.number("is_observed") == 1,
                row.text("state"),
                row.instant("since"),
                row.instantOrNull("started_at"),
                row.number("bytes"),
                row.numberOrNull("event_bytes_max"));
    }

    @Override
    public Optional<SessionId> runOf(SessionId program) {
        return Tx.call(RUN_OF)
                .set("program", program.value())
                .set("observed", Profile.OBSERVED)
                .first(row -> new SessionId(row.text("id")));
    }

    @Override
    public long append(SessionId node, Observation event, Instant at) {
        var keys = Keys.of(node);
        long number =
                Tx.call(APPEND)
                        .set("session", keys.key())
                        .set("session_id", node.value())
                        .set("tree", keys.tree())
                        .set("type", FactText.reported(event.type()))
                        .set("at", at)
                        .set("sent_at", event.message().isSent() ? event.sentAt() : null)
                        .set("wave", event.hints().wave())
                        .set("body", event.message().body().value())
                        .number();
        Tx.current().raise(new Topic.JournalGrew());
        return number;
    }

    @Override
    public void toldFirst(SessionId session, String source) {
        Tx.call(TOLD_FIRST).set("session", Keys.of(session).key()).set("source", source).update();
    }

    @Override
    public boolean isToldFirst(SessionId session, String source) {
        return Tx.call(IS_TOLD_FIRST).set("id", session.value()).set("source", source).number() > 0;
    }

    @Override
    public void addTypes(Set<String> types) {
        for (var type : types) Tx.call(ADD_TYPE).set("type", type).update();
    }

    @Override
    public void relate(SessionId parent, SessionId child, Edge edge) {
        Tx.call(RELATE)
                .set("parent", parent.value())
                .set("child", child.value())
                .set("type", edge.type())
                .set("reason", edge.reason())
                .set("evidence", edge.evidence().word())
                .set("confidence", edge.evidence().confidence())
                .update();
    }

    @Override
    public boolean isCertain(SessionId parent, SessionId child) {
        return Tx.call(CERTAIN)
                        .set("parent", parent.value())
                        .set("child", child.value())
                        .set("guess", Evidence.INFERRED.word())
                        .number()
                > 0;
    }

    @Override
    public void called(SessionId session, SessionId caller, Spawn.Called call, Instant at) {
        Tx.call(OLD_CALLS)
                .set("session", Keys.of(session).key())
                .set("before", at.minus(CALL_AGE_MAX))
                .update();
        Tx.call(CALLED)
                .set("session", Keys.of(session).key())
                .set("call", call.call())
                .set("caller", caller.value())
                .set("type", call.agentType())
                .set("at", at)
                .update();
    }

    private record Caller(long key, String id) {}

    @Override
    public Optional<SessionId> caller(
            SessionId session, SessionId agent, String agentType, Instant since) {
        var found =
                Tx.call(CALLER)
                        .set("session", Keys.of(session).key())
                        .set("agent", agent.value())
                        .set("type", agentType)
                        .set("since", since)
                        .first(row -> new Caller(row.number("key"), row.text("caller")));
        found.ifPresent(
                c -> Tx.call(TAKE).set("agent", agent.value()).set("key", c.key()).update());
        return found.map(c -> new SessionId(c.id()));
    }

    @Override
    public void answered(SessionId session, String call, @Nullable SessionId agent, Instant at) {
        long key = Keys.of(session).key();
        var id = agent == null ? null : agent.value();
        Tx.call(FREE).set("session", key).set("call", call).set("agent", id).update();
        Tx.call(ANSWERED_CALL)
                .set("session", key)
                .set("call", call)
                .set("agent", id)
                .set("at", at)
                .update();
    }

    @Override
    public List<Sent> recent(@Nullable SessionId below, int max) {
        var call = below == null ? Tx.call(RECENT) : within(RECENT_BELOW, below, max);
        return bodies(call.set("max", max).list(row -> row.number(1))).reversed();
    }

    /** The events with these numbers, in their order, until they are as large as a page. */
    private static List<Sent> bodies(List<Long> numbers) {
        var found = new ArrayList<Sent>();
        long chars = 0;
        for (int from = 0; from < numbers.size(); from += BODIES_AT_ONCE) {
            var some = numbers.subList(from, Math.min(numbers.size(), from + BODIES_AT_ONCE));
            var byNumber = new HashMap<Long, Sent>();
            for (var sent : some(some)) byNumber.put(sent.number(), sent);
            for (var number : some) {
                var sent = byNumber.get(number);
                if (sent == null) continue;
                chars += sent.body().value().length();
                if (chars > Bounds.PAGE_BYTES_MAX && !found.isEmpty()) return found;
                found.add(sent);
            }
        }
        return found;
    }

    private static List<Sent> some(List<Long> numbers) {
        var call = Tx.call(FIND_SOME);
        for (int i = 0; i < BODIES_AT_ONCE; i++) {
            call.set("n" + i, i < numbers.size() ? numbers.get(i) : -1L);
        }
        return call.list(SqlObservations::sent);
    }

    private static Call within(SubtreeEvents events, SessionId below, int max) {
        var trail = Keys.of(below).trail();
        return Tx.call(events.within(below, max)).set("trail", trail).set("end", Trail.end(trail));
    }

    private static Sent sent(Row row) throws SQLException {
        var answer = row.textOrNull("answer");
        return new Sent(
                row.number("number"),
                new SessionId(row.text("session_id")),
                row.instant("sent_at"),
                new JsonText(row.text("body")),
                answer == null ? null : new JsonText(answer));
    }

    @Override
    public Optional<Sent> find(long number) {
        return Tx.call(FIND).set("number", number).first(SqlObservations::sent);
    }

    @Override
    public long head() {
        return Tx.call(HEAD).number();
    }

    /** The names in an event. The session of an agent within a program is that of the program. */
    private record Named(SessionId session, @Nullable String app, String type) {}

    private static Named named(Row row) throws SQLException {
        var node = new SessionId(row.text("id"));
        var type = row.text("type").substring(1);
        return new Named(node.program().orElse(node), row.textOrNull("source_app"), type);
    }

    @Override
    public Options options(@Nullable SessionId below, int max) {
        var call =
                below == null
                        ? Tx.call(NEWEST_NAMES)
                        : within(NEWEST_NAMES_BELOW, below, NAMED_EVENTS_MAX);
        var found = call.set("max", NAMED_EVENTS_MAX).list(SqlObservations::named);
        var apps = new TreeSet<String>();
        var sessions = new TreeSet<String>(Comparator.reverseOrder());
        var types = new TreeSet<String>();
        for (var named : found) {
            if (named.app() != null) apps.add(named.app());
            sessions.add(named.session().value());
            types.add(named.type());
        }
        return new Options(
                apps.stream().limit(max).toList(),
                sessions.stream().limit(max).toList(),
                below == null ? types(max) : types.stream().limit(max).toList());
    }

    private static List<String> types(int max) {
        return Tx.call(TYPES).set("max", max).list(row -> row.text(1));
    }

    @Override
    public void answer(Sent event, JsonText answer) {
        Tx.call(ANSWER).set("number", event.number()).set("answer", answer.value()).update();
    }
}
