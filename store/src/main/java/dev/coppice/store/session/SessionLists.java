package dev.coppice.store.session;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.Sessions;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lists of sessions. One filter selects the index; the others narrow its rows. */
final class SessionLists {
    /** The filters that never select the index, applied to every list. */
    private static final String NARROWED =
            """
            and (cast(:type as text) is null or s.type = :type)
            and (cast(:prefix as text) is null or (s.name >= :prefix and s.name < :prefix_end))
            and (cast(:text as text) is null or lower(s.name) like :text escape '!')
            and (cast(:begins as text) is null or (s.name >= :begins and s.name < :begins_end)
                or (s.id >= :begins and s.id < :begins_end))
            and (cast(:blueprint as text) is null or s.blueprint = :blueprint)
            and (cast(:host as text) is null or s.hostname = :host)
            and (cast(:since as bigint) is null or s.created_at >= :since)
            and (cast(:orphans as integer) = 0
                or p.state not in ('pending', 'running', 'idle', 'stopping'))
            """;

    private static final Sql LIST_ALL =
            Sql.of(
                    SessionRow.COLUMNS
                            + "where s.key < :after\n"
                            + NARROWED
                            + "order by s.key desc limit :max");
    private static final Sql LIST_TYPE =
            Sql.of(
                    SessionRow.COLUMNS
                            + "where s.type = :type and s.key < :after\n"
                            + NARROWED
                            + "order by s.key desc limit :max");

    /** The plus signs keep the planner from walking the keys instead of the names. */
    private static final Sql LIST_NAMED =
            Sql.of(
                    SessionRow.COLUMNS
                            + """
                            where s.name >= :prefix and s.name < :prefix_end and +s.key < :after
                            """
                            + NARROWED
                            + "order by +s.key desc limit :max");

    private static final Sql LIST_STATE =
            Sql.of(
                    SessionRow.COLUMNS
                            + "where s.state = :state and s.key < :after\n"
                            + NARROWED
                            + "order by s.key desc limit :max");
    private static final Sql LIST_CHILDREN =
            Sql.of(
                    SessionRow.COLUMNS
                            + """
                            where s.parent = :parent and s.key < :after
                            and (:states = '' or :states like '%,' || s.state || ',%')
                            """
                            + NARROWED
                            + "order by s.key desc limit :max");
    private static final Sql LIST_WITHIN =
            Sql.of(
                    SessionRow.COLUMNS
                            + """
                            where s.trail < :after and s.trail >= :trail
                            and (:states = '' or :states like '%,' || s.state || ',%')
                            """
                            + NARROWED
                            + "order by s.trail desc limit :max");

    private static final Sql NEXT =
            Sql.of(
                    SessionRow.COLUMNS
                            + "where s.trail >= :from and s.trail < :end order by s.trail limit 1");
    private static final Sql NOT_ENDED =
            Sql.of(
                    """
                    select s.key from session s where s.trail >= :trail and s.trail < :end
                    and (s.state in (%s) or s.ended_at is null or s.ended_at > :by) limit 1
                    """
                            .formatted(SessionRow.ALIVE));

    private SessionLists() {}

    static Optional<Sessions.Placed> next(@Nullable SessionId top, @Nullable String place) {
        var first = top == null ? "" : Keys.of(top).trail();
        var from = place == null ? first : Keyset.place(place);
        return Tx.call(NEXT)
                // A cursor comes from outside, and must not lead to sessions before the top.
                .set("from", from.compareTo(first) < 0 ? first : from)
                .set("end", top == null ? Trail.LAST : Trail.end(first))
                .first(SessionRow::keyed)
                .map(found ->
                        new Sessions.Placed(
                                found.value(),
                                Trail.behind(found.trail()),
                                Trail.end(found.trail())));
    }

    static boolean haveAllEnded(SessionId top, Instant by) {
        var trail = Keys.of(top).trail();
        return Tx.call(NOT_ENDED)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .set("by", by)
                .first(row -> row.number("key"))
                .isEmpty();
    }

    static Slice<Session> list(SessionFilter filter, Cursor cursor) {
        if (filter.parent() != null) return listChildren(filter, filter.parent(), cursor);
        if (filter.within() != null) return listWithin(filter, filter.within(), cursor);
        long after = cursor.after() == null ? Long.MAX_VALUE : Keyset.number(cursor.after());
        var pages = new ArrayList<Call.Page<SessionRow.Keyed>>();
        if (filter.states().isEmpty()) {
            pages.add(narrowed(Tx.call(leading(filter)).set("after", after), filter, cursor));
        }
        for (var state : filter.states()) {
            var call = Tx.call(LIST_STATE).set("after", after).set("state", state);
            pages.add(narrowed(call, filter, cursor));
        }
        return Keyset.slice(
                Call.Page.newestFirst(pages, SessionRow.Keyed::key),
                cursor.max(),
                k -> Long.toString(k.key()));
    }

    private static Sql leading(SessionFilter filter) {
        if (filter.namePrefix() != null) return LIST_NAMED;
        return filter.type() != null ? LIST_TYPE : LIST_ALL;
    }

    private static Slice<Session> listChildren(
            SessionFilter filter, SessionId parent, Cursor cursor) {
        var keys = Keys.find(parent);
        var top = filter.within();
        boolean outside = top != null && !Keys.isWithin(parent, top);
        if (keys.isEmpty() || outside) return new Slice<>(List.of(), null);
        long after = cursor.after() == null ? Long.MAX_VALUE : Keyset.number(cursor.after());
        var call =
                Tx.call(LIST_CHILDREN)
                        .set("parent", keys.get().key())
                        .set("after", after)
                        .set("states", joined(filter));
        return Keyset.slice(
                narrowed(call, filter, cursor), cursor.max(), k -> Long.toString(k.key()));
    }

    private static Slice<Session> listWithin(SessionFilter filter, SessionId top, Cursor cursor) {
        var keys = Keys.find(top);
        if (keys.isEmpty()) return new Slice<>(List.of(), null);
        var trail = keys.get().trail();
        var call =
                Tx.call(LIST_WITHIN)
                        .set("trail", trail)
                        .set(
                                "after",
                                cursor.after() == null
                                        ? Trail.end(trail)
                                        : Keyset.trail(cursor.after()))
                        .set("states", joined(filter));
        return Keyset.slice(narrowed(call, filter, cursor), cursor.max(), SessionRow.Keyed::trail);
    }

    private static Call.Page<SessionRow.Keyed> narrowed(
            Call call, SessionFilter filter, Cursor cursor) {
        var type = filter.type() == null ? null : filter.type().name().toLowerCase(Locale.ROOT);
        var prefix = filter.namePrefix();
        return call.set("type", type)
                .set("prefix", prefix)
                .set("text", pattern(filter.nameText()))
                .set("begins", filter.marks().beginning())
                .set("begins_end", end(filter.marks().beginning()))
                .set("blueprint", filter.marks().blueprint())
                .set("host", filter.marks().hostname())
                .set("since", filter.marks().since())
                .set("orphans", filter.areOrphans() ? 1 : 0)
                .set("prefix_end", end(prefix))
                .set("max", cursor.max() + 1L)
                .page(cursor.max() + 1, SessionRow::keyed);
    }

    /** Greater than all names and ids that begin so. A former name goes on with a tilde. */
    private static @Nullable String end(@Nullable String prefix) {
        return prefix == null ? null : prefix + "~~";
    }

    private static @Nullable String pattern(@Nullable String text) {
        if (text == null) return null;
        return "%" + text.toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0") + "%";
    }

    private static String joined(SessionFilter filter) {
        return filter.states().isEmpty() ? "" : "," + String.join(",", filter.states()) + ",";
    }
}
