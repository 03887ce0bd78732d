package dev.coppice.store.session;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.kernel.Topic;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Limits;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.SessionState;
import dev.coppice.session.Sessions;
import dev.coppice.session.StateWord;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.SqlDialect;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stores sessions. */
public final class SqlSessions implements Sessions {

    private static final String FIND_TEXT = SessionRow.COLUMNS + "where s.id = :id";
    private static final Sql FIND = Sql.of(FIND_TEXT);
    private static final Sql NAMED = Sql.of(SessionRow.COLUMNS + "where s.name = :name");
    private static final Sql INSERT =
            Tables.insert("any_session", "removal", "lent_name", "came_from");
    private static final Map<Limits.Kind, Sql> STORED =
            Map.of(
                    Limits.Kind.EVENT_BYTES, stored("events", "event_bytes_max"),
                    Limits.Kind.METADATA_BYTES, stored("metadata", "metadata_bytes_max"),
                    Limits.Kind.OUTPUT_BYTES, stored("output", "output_bytes_max"));

    private static final Sql UPDATE =
            Tables.update(
                    "any_session",
                    "key",
                    "state reason stop_reason since deadline started_at resumed_at ended_at"
                        + " project_dir blueprint source_app metadata executor_session_id"
                        + " executor_profile hostname quiet_at fenced_at frozen_at abandoned_at");
    private static final Sql RENAME =
            Sql.of("update any_session set name = :name where key = :key");
    private static final Sql STATE_OF = Sql.of("select state from any_session where key = :key");
    private static final Sql PARENT_OF = Sql.of("select parent from any_session where key = :key");
    private static final Sql ANCESTRY =
            Sql.of(
                    """
                    with recursive up (k, above) as (
                        select key, parent from session where id = :id
                        union all
                        select a.key, a.parent from session a join up on a.key = up.above)
                    """
                            + SessionRow.COLUMNS
                            + "where s.key in (select k from up) order by s.depth desc");
    private static final Sql STOPPING_PAST =
            Sql.of(
                    SessionRow.COLUMNS
                            + """
                            where s.state = 'stopping' and s.deadline < :moment
                            order by s.key limit :max
                            """);
    private static final Sql QUIETEN =
            Sql.of(
                    """
                    update any_session set quiet_at = :since
                    where trail >= :trail and trail < :end and (removal is null or not exists (
                        select 1 from removal m where m.key = removal and m.out_of_sight = 1))
                    """);
    private static final Sql LIVING_LEAVES =
            Sql.of(
                    SessionRow.COLUMNS
                            + """
                            where s.trail >= :trail and s.trail < :end and s.living_below = 0
                            and s.state in (%s)
                            order by s.trail desc
                            """
                                    .formatted(SessionRow.ALIVE));
    private static final Sql CHILDREN =
            Sql.of(
                    SessionRow.COLUMNS
                            + """
                            where s.parent = :parent and s.key > :after order by s.key limit :max
                            """);
    private static final Sql DESCENDANTS =
            Sql.of(
                    SessionRow.COLUMNS
                            + """
                            where s.trail > :after and s.trail < :end and s.depth <= :depth
                            order by s.trail limit :max
                            """);
    private static final Sql COUNT_CHILDREN =
            Sql.of("select count(*) from session where parent = :parent");
    private static final Sql COUNT_WITHIN =
            Sql.of("select count(*) from session where trail >= :trail and trail < :end");

    private final SqlDialect dialect;
    private final HiddenNames names;

    public SqlSessions(SqlDialect dialect) {
        this.dialect = dialect;
        this.names = new HiddenNames();
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return Tx.call(FIND).set("id", id.value()).first(SessionRow::session);
    }

    @Override
    public Optional<Session> named(String name) {
        return Tx.call(NAMED).set("name", name).first(SessionRow::session);
    }

    @Override
    public boolean isHidden(SessionId id) {
        return Keys.find(id).isPresent() && find(id).isEmpty();
    }

    @Override
    public void add(Session s) {
        var parentId = s.place().parentId();
        var parent = parentId == null ? null : Keys.of(parentId);
        var keys = Keys.below(parent, Tx.call(dialect.nextSessionKey()).number());
        // Only a hidden session can have the name: the caller checked the visible ones.
        names.freeName(s.name());
        var call =
                Tx.call(INSERT)
                        .set("key", keys.key())
                        .set("id", s.id().value())
                        .set("name", s.name())
                        .set("type", s.type())
                        .setNumber("parent", parent == null ? null : parent.key())
                        .set("root", keys.root())
                        .set("tree", keys.tree())
                        .set("trail", keys.trail())
                        .set("depth", s.place().depth())
                        .set("path", s.place().path())
                        .set("created_at", s.times().created())
                        .set("on_parent_end", s.standing().onParentEnd());
        LimitColumns.set(changeable(call, s), s.limits()).update();
        keys.remember(s.id());
        if (parent != null && s.state().isAlive()) SessionMoves.countAbove(parent.key(), 1, 1);
    }

    @Override
    public void rename(SessionId session, String name) {
        names.freeName(name);
        Tx.call(RENAME).set("key", Keys.of(session).key()).set("name", name).update();
    }

    @Override
    public void save(Session s) {
        long key = Keys.of(s.id()).key();
        var parent = s.place().parent();
        boolean lives = s.state().isAlive();
        boolean lived = parent == null ? lives : lived(key);
        changeable(Tx.call(UPDATE).set("key", key), s).update();
        Tx.current().raise(new Topic.SessionSaved());
        if (lived == lives) return;
        int change = lives ? 1 : -1;
        SessionMoves.countAbove(Tx.call(PARENT_OF).set("key", key).number(), change, change);
    }

    private static boolean lived(long key) {
        var state = Tx.call(STATE_OF).set("key", key).first(row -> row.text("state"));
        return StateWord.ALIVE.contains(state.orElseThrow());
    }

    private static Call changeable(Call call, Session s) {
        var end = s.state() instanceof SessionState.Ended e ? e : null;
        var stopping = s.state() instanceof SessionState.Stopping it ? it : null;
        var binding = s.profile().binding();
        return call.set("state", StateWord.of(s.state()))
                .set("reason", end == null ? null : end.reason())
                .set("since", s.state().since())
                .set("deadline", stopping == null ? null : stopping.deadline())
                .set("stop_reason", stopping == null ? null : stopping.reason())
                .set("started_at", s.times().started())
                .set("resumed_at", s.times().resumed())
                .set("ended_at", s.times().ended())
                .set("project_dir", s.profile().projectDir())
                .set("blueprint", s.profile().blueprint())
                .set("source_app", s.profile().sourceApp())
                .set("metadata", s.profile().metadata().value())
                .set("executor_session_id", binding.executorSessionId())
                .set("executor_profile", binding.executorProfile())
                .set("hostname", binding.hostname())
                .set("quiet_at", s.standing().quiet())
                .set("fenced_at", s.standing().fenced())
                .set("frozen_at", s.standing().frozen())
                .set("abandoned_at", s.standing().abandoned());
    }

    @Override
    public Slice<Session> list(SessionFilter filter, Cursor cursor) {
        return SessionLists.list(filter, cursor);
    }

    @Override
    public Optional<Placed> next(@Nullable SessionId top, @Nullable String place) {
        return SessionLists.next(top, place);
    }

    @Override
    public boolean haveAllEnded(SessionId top, Instant by) {
        return SessionLists.haveAllEnded(top, by);
    }

    @Override
    public List<Session> stoppingPast(Instant moment, int max) {
        return Tx.call(STOPPING_PAST)
                .set("moment", moment)
                .set("max", max)
                .list(SessionRow::session);
    }

    @Override
    public void makeQuiet(SessionId top, Instant since) {
        var trail = Keys.of(top).trail();
        Tx.call(QUIETEN)
                .set("since", since)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .update();
    }

    @Override
    public List<Session> liveLeaves(SessionId top) {
        var trail = Keys.of(top).trail();
        return Tx.call(LIVING_LEAVES)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .list(SessionRow::session);
    }

    @Override
    public Slice<Session> children(SessionId parent, Cursor cursor) {
        var found =
                Tx.call(CHILDREN)
                        .set("parent", Keys.of(parent).key())
                        .set("after", cursor.after() == null ? 0 : Keyset.number(cursor.after()))
                        .set("max", cursor.max() + 1L)
                        .page(cursor.max() + 1, SessionRow::keyed);
        return Keyset.slice(found, cursor.max(), k -> Long.toString(k.key()));
    }

    @Override
    public Slice<Session> descendants(SessionId top, int depthMax, Cursor cursor) {
        var above = find(top).orElseThrow();
        var trail = Keys.of(top).trail();
        var found =
                Tx.call(DESCENDANTS)
                        .set("after", cursor.after() == null ? trail : Keyset.trail(cursor.after()))
                        .set("end", Trail.end(trail))
                        .set("depth", (long) above.place().depth() + depthMax)
                        .set("max", cursor.max() + 1L)
                        .page(cursor.max() + 1, SessionRow::keyed);
        return Keyset.slice(found, cursor.max(), SessionRow.Keyed::trail);
    }

    @Override
    public long countChildren(SessionId parent) {
        return Tx.call(COUNT_CHILDREN).set("parent", Keys.of(parent).key()).number();
    }

    @Override
    public long countDescendants(SessionId top) {
        return countWithin(Keys.of(top)) - 1;
    }

    /** Counts the visible sessions in a subtree, its top included. */
    static long countWithin(Keys keys) {
        return Tx.call(COUNT_WITHIN)
                .set("trail", keys.trail())
                .set("end", Trail.end(keys.trail()))
                .number();
    }

    @Override
    public List<Ancestor> ancestry(SessionId id) {
        return Tx.call(ANCESTRY)
                .set("id", id.value())
                .list(row ->
                        new Ancestor(
                                SessionRow.session(row),
                                row.integer("living_children"),
                                row.integer("living_below")));
    }

    @Override
    public boolean isWithin(SessionId id, SessionId top) {
        return Keys.isWithin(id, top);
    }

    @Override
    public int levelsBelow(SessionId id) {
        return SessionMoves.levelsBelow(Keys.of(id));
    }

    @Override
    public void detach(SessionId child, Limits limits) {
        SessionMoves.detach(Keys.of(child), limits);
    }

    @Override
    public void attach(SessionId root, SessionId parent, Limits limits) {
        SessionMoves.attach(Keys.of(root), Keys.of(parent), limits);
    }

    private static Sql stored(String column, String limit) {
        return Sql.of(
                """
                select coalesce(b.%s, 0) as bytes, r.%s as max from any_session r
                left join tree_bytes b on b.tree = :tree where r.key = :root
                """
                        .formatted(column, limit));
    }

    @Override
    public Stored stored(SessionId in, Limits.Kind kind) {
        var sql = STORED.get(kind);
        if (sql == null) throw new IllegalArgumentException(kind + " is not stored");
        var keys = Keys.of(in);
        return Tx.call(sql)
                .set("tree", keys.tree())
                .set("root", keys.root())
                .first(row -> new Stored(row.number("bytes"), row.numberOrNull("max")))
                .orElseThrow(() -> new IllegalStateException("the root of " + in + " is gone"));
    }
}
