package dev.coppice.store.removal;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.removal.Survey;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.store.session.HiddenNames;
import dev.coppice.word.Choice;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Stores removals. */
public final class SqlRemovals implements Removals {
    private static final String FIND_TEXT = "select m.* from removal m where m.id = :id";
    private static final Sql FIND = Sql.of(FIND_TEXT);
    private static final Sql LIST =
            Sql.of("select m.* from removal m where m.key < :after order by m.key desc limit :max");
    private static final Sql DUE =
            Sql.of(
                    """
                    select m.* from removal m
                    where m.ended_at is null and (m.state <> 'hidden' or m.undo_until <= :now)
                    and (m.next_try_at is null or m.next_try_at <= :now)
                    order by m.key limit :max
                    """);
    private static final Sql OF =
            Sql.of(
                    """
                    select m.* from removal_member b join removal m on m.key = b.removal
                    where b.session_id = :session and m.state not in ('undone', 'taken_back')
                    order by b.key desc limit 1
                    """);
    private static final Sql OF_NAMED =
            Sql.of(
                    """
                    select m.* from removal_member b join removal m on m.key = b.removal
                    where b.name = :name and m.out_of_sight = 1 order by b.key desc limit 1
                    """);
    private static final Sql BEGUN_OF = Sql.of("select count(*) from removal where session = :top");
    private static final Sql UNDER_WAY_BELOW =
            Sql.of(
                    """
                    select m.* from removal m join any_session s on s.key = m.session
                    where m.ended_at is null and m.state <> 'hidden'
                    and s.trail > :trail and s.trail < :end
                    order by m.key limit 1
                    """);
    private static final String HIDDEN =
            """
            join removal m on m.ended_at is null and m.state = 'hidden'
            join any_session s on s.key = m.session
            and s.trail || '' > t.trail and s.trail || '' < t.trail || '~'
            """;
    private static final Sql HIDDEN_BELOW =
            Sql.of(
                    "select m.* from removal o join any_session t on t.key = o.session "
                            + HIDDEN
                            + "where o.id = :id order by m.key");
    private static final Sql EARLIER_BELOW =
            Sql.of("select m.* from any_session t " + HIDDEN + "where t.id = :id order by m.key");
    private static final Sql ENDED_TREES =
            Sql.of(
                    """
                    select s.id from session s
                    where s.parent is null and s.removal is null and s.living_below = 0
                    and s.ended_at < :before and not exists (
                        select 1 from session d
                        where d.trail >= s.trail and d.trail < s.trail || '~'
                        and (d.ended_at is null or d.ended_at >= :before))
                    order by s.key limit :max
                    """);
    private static final Sql INSERT = Tables.insert("removal");
    private static final Sql UPDATE =
            Tables.update(
                    "removal",
                    "id",
                    "state since why out_of_sight hidden_at undo_until ended_at sessions runs"
                            + " events event_bytes unreachable backup_file backup_sha256"
                            + " backup_size tries next_try_at");
    private final RemovalMembers members = new RemovalMembers();
    private final HiddenNames names = new HiddenNames();

    @Override
    public void add(Removal r) {
        add(r, Keys.of(r.top().id()).key());
    }

    @Override
    public void addRestoring(Removal r) {
        add(r, null);
    }

    private static void add(Removal r, @Nullable Long session) {
        var parent = r.top().parent();
        var call = changeable(Tx.call(INSERT), r);
        r.choices().words().forEach(call::set);
        call.setNumber("session", session)
                .set("top_id", r.top().id().value())
                .set("top_name", r.top().name())
                .set("parent_id", parent == null ? null : parent.value())
                .set("deadline_ms", r.choices().deadline().toMillis())
                .set("work_seen", r.order().workDigest())
                .set("asked_by", r.order().by())
                .set("reason", r.order().reason())
                .set("confirmed", r.order().confirmed() ? 1 : 0)
                .set("digest", r.digest())
                .set("began_at", r.times().began())
                .update();
    }

    @Override
    public void save(Removal removal) {
        changeable(Tx.call(UPDATE), removal).update();
    }

    private static Call changeable(Call call, Removal r) {
        var backup = r.backup();
        return call.set("id", r.id().value())
                .set("unreachable", r.choices().unreachable())
                .set("sessions", r.taken().sessions())
                .set("runs", r.taken().runs())
                .set("events", r.taken().events())
                .set("event_bytes", r.taken().eventBytes())
                .set("backup_file", backup == null ? null : backup.file())
                .set("backup_sha256", backup == null ? null : backup.sha256())
                .setNumber("backup_size", backup == null ? null : backup.size())
                .set("tries", r.tries().failed())
                .set("next_try_at", r.tries().next())
                .set("state", r.state().word())
                .set("since", r.state().since())
                .set("why", r.state().why())
                .set("out_of_sight", r.state().hidesSessions() ? 1 : 0)
                .set("hidden_at", r.times().hidden())
                .set("undo_until", r.times().undoUntil())
                .set("ended_at", r.times().ended());
    }

    @Override
    public Optional<Removal> find(RemovalId id) {
        return Tx.call(FIND).set("id", id.value()).first(SqlRemovals::removal);
    }

    @Override
    public Slice<Removal> list(Cursor cursor) {
        long after = cursor.after() == null ? Long.MAX_VALUE : Keyset.number(cursor.after());
        var found =
                Tx.call(LIST)
                        .set("after", after)
                        .set("max", cursor.max() + 1L)
                        .page(cursor.max() + 1, row -> new Keyed(removal(row), row.number("key")));
        return Keyset.slice(found, cursor.max(), k -> Long.toString(k.key()));
    }

    private record Keyed(Removal value, long key) implements Keyset.Item<Removal> {}

    @Override
    public List<Removal> due(Instant now, int max) {
        return Tx.call(DUE).set("now", now).set("max", max).list(SqlRemovals::removal);
    }

    @Override
    public List<SessionId> endedTrees(Instant before, int max) {
        return Tx.call(ENDED_TREES)
                .set("before", before)
                .set("max", max)
                .list(row -> new SessionId(row.text("id")));
    }

    @Override
    public Optional<Removal> of(SessionId id) {
        return Tx.call(OF).set("session", id.value()).first(SqlRemovals::removal);
    }

    @Override
    public Optional<Removal> ofNamed(String name) {
        return Tx.call(OF_NAMED).set("name", name).first(SqlRemovals::removal);
    }

    @Override
    public long begunOf(SessionId top) {
        return Tx.call(BEGUN_OF).set("top", Keys.of(top).key()).number();
    }

    @Override
    public Optional<Removal> underWayBelow(SessionId top) {
        var trail = Keys.of(top).trail();
        return Tx.call(UNDER_WAY_BELOW)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .first(SqlRemovals::removal);
    }

    @Override
    public List<Removal> hiddenBelow(Removal removal) {
        return Tx.call(HIDDEN_BELOW).set("id", removal.id().value()).list(SqlRemovals::removal);
    }

    @Override
    public List<Removal> earlierBelow(SessionId top) {
        return Tx.call(EARLIER_BELOW).set("id", top.value()).list(SqlRemovals::removal);
    }

    @Override
    public Survey survey(SessionId top, Choice.Children children) {
        return members.survey(top, children);
    }

    @Override
    public void outline(SessionId top, Choice.Children children, Consumer<Outline> each) {
        members.outline(top, children, each);
    }

    @Override
    public int enlist(Removal removal, int max) {
        return members.enlist(removal, max);
    }

    @Override
    public int release(RemovalId id, int max) {
        return members.release(id, max);
    }

    @Override
    public Slice<Member> members(RemovalId id, Cursor cursor) {
        return members.list(id, cursor);
    }

    @Override
    public long countMembers(RemovalId id) {
        return members.count(id);
    }

    @Override
    public List<Member> unannounced(RemovalId id, AnnouncementOrder order, int max) {
        return members.unannounced(id, order, max);
    }

    @Override
    public void markAnnounced(RemovalId id, SessionId member) {
        members.markAnnounced(id, member);
    }

    @Override
    public void givenUp(RemovalId id, SessionId member) {
        members.givenUp(id, member);
    }

    @Override
    public long countUnannounced(RemovalId id) {
        return members.countUnannounced(id);
    }

    @Override
    public void markAllUnannounced(RemovalId id) {
        members.markAllUnannounced(id);
    }

    @Override
    public List<String> takenNames(RemovalId id) {
        return names.taken(RemovalMembers.key(id));
    }

    @Override
    public void giveNamesBack(RemovalId id) {
        names.giveBack(RemovalMembers.key(id));
    }

    @Override
    public void detached(RemovalId id, SessionId child, Own own) {
        members.detached(id, child, own);
    }

    @Override
    public List<Detached> detachedBy(RemovalId id) {
        return members.detachedBy(id);
    }

    @Override
    public boolean purgeSome(Removal removal, int rowsMax) {
        return RemovalPurge.some(removal, rowsMax);
    }

    private static Removal removal(Row row) throws SQLException {
        var parent = row.textOrNull("parent_id");
        return new Removal(
                new RemovalId(row.text("id")),
                new Removal.Top(
                        new SessionId(row.text("top_id")),
                        row.text("top_name"),
                        parent == null ? null : new SessionId(parent)),
                new Choices(
                        row.constant(Choice.Children.class, "children"),
                        row.constant(Choice.Running.class, "running"),
                        row.constant(Choice.Critical.class, "critical"),
                        row.constant(Choice.Purge.class, "purge"),
                        row.constant(Choice.Unreachable.class, "unreachable"),
                        Duration.ofMillis(row.number("deadline_ms")),
                        new Choices.Preservation(
                                row.constant(Choice.Work.class, "work"),
                                row.constant(Choice.Backup.class, "backup"),
                                row.constant(Choice.Ignored.class, "ignored"),
                                row.constant(Choice.Directories.class, "directories"))),
                new Removal.Order(
                        row.text("asked_by"),
                        row.textOrNull("reason"),
                        row.number("confirmed") == 1,
                        row.textOrNull("work_seen")),
                new Removal.Taken(
                        row.number("sessions"),
                        row.number("runs"),
                        row.number("events"),
                        row.number("event_bytes")),
                row.text("digest"),
                state(row),
                new Removal.Times(
                        row.instant("began_at"),
                        row.instantOrNull("hidden_at"),
                        row.instantOrNull("undo_until"),
                        row.instantOrNull("ended_at")),
                backup(row),
                new Removal.Tries(row.integer("tries"), row.instantOrNull("next_try_at")));
    }

    private static Removal.@Nullable Backup backup(Row row) throws SQLException {
        var file = row.textOrNull("backup_file");
        return file == null
                ? null
                : new Removal.Backup(file, row.text("backup_sha256"), row.number("backup_size"));
    }

    private static RemovalState state(Row row) throws SQLException {
        var since = row.instant("since");
        return switch (row.text("state")) {
            case "fencing" -> new RemovalState.Fencing(since, row.textOrNull("why"));
            case "quiescing" -> new RemovalState.Quiescing(since, row.textOrNull("why"));
            case "preserving" -> new RemovalState.Preserving(since, row.textOrNull("why"));
            case "backing_up" -> new RemovalState.BackingUp(since, row.textOrNull("why"));
            case "detaching" -> new RemovalState.Detaching(since);
            case "hiding" -> new RemovalState.Hiding(since);
            case "hidden" -> new RemovalState.Hidden(since, row.instant("undo_until"));
            case "restoring" -> new RemovalState.Restoring(since);
            case "undoing" -> new RemovalState.Undoing(since);
            case "taking_back" -> new RemovalState.TakingBack(since, row.text("why"));
            case "purging" -> new RemovalState.Purging(since, row.textOrNull("why"));
            case "undone" -> new RemovalState.Undone(since);
            case "taken_back" -> new RemovalState.TakenBack(since, row.text("why"));
            case "purged" -> new RemovalState.Purged(since);
            case String word -> throw new IllegalStateException("unknown removal state " + word);
        };
    }
}
