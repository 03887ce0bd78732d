package dev.coppice.originals.report;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.originals.report.TreeReportCalls.Report;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.session.SubtreeEvents;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Reads the reports. The columns {@code at_time} and {@code at_key} of a statement place a row in
 * its report. Every report but that of the relationships reads one range of an index.
 */
final class TreeReports {
    private static final String IN_SCOPE =
            "s.trail >= :trail and s.trail < :end and s.depth <= :depth ";
    private static final String SENT = "coalesce(e.sent_at, e.at)";
    private static final String STARTED = "coalesce(s.started_at, s.created_at)";

    /** Rows of the period after the last one of the previous page, in the order of their times. */
    private static final String BY_TIME =
            """
            and TIME >= :time and TIME < :until and (TIME > :time or KEY > :key)
            order by TIME, KEY limit :max
            """;

    private static final SubtreeEvents TIMELINE =
            new SubtreeEvents(
                    """
                    select TIME as at_time, e.number as at_key, TIME as timestamp,
                        s.id as session_id, p.id as parent_session_id,
                        s.depth as session_depth,
                        case when substr(e.type, 1, 1) = '*' then substr(e.type, 2)
                            else e.type end as hook_event_type,
                        s.type as session_type, r.type as relationship_type,
                        r.reason as spawn_reason
                    from TABLES
                    left join any_session p on p.key = s.parent
                    left join relationship r on r.parent_id = p.id and r.child_id = s.id
                    where s.key = e.session and s.id = e.session_id and \
                    """
                                    .replace("TIME", SENT)
                                    .replace("TABLES", SubtreeEvents.TABLES)
                            + IN_SCOPE
                            + byTime(SENT, "e.number"));

    private static final Map<Report, Sql> REPORTS =
            Map.of(
                    Report.CHILDREN,
                    Sql.of(
                            """
                            select s.trail as at_key, s.id as child_session_id,
                                p.id as parent_session_id, r.type as relationship_type,
                                r.reason as spawn_reason, v.status, s.depth as depth_level,
                                s.path as session_path
                            from session s join session p on p.key = s.parent
                            join relationship r on r.parent_id = p.id and r.child_id = s.id
                            join sessions v on v.session_id = s.id
                            where s.trail > :trail and s.trail < :end and s.depth <= :depth
                            and s.trail > :after order by s.trail limit :max
                            """),
                    Report.WAVES,
                    Sql.of(
                            """
                            select e.wave as at_key, e.wave as wave_id,
                                count(distinct e.session) as wave_sessions,
                                min(TIME) as wave_start, max(TIME) as wave_end,
                                count(*) as total_events
                            from event e join session s
                                on s.key = e.session and s.id = e.session_id
                            where e.wave is not null and e.wave > :after
                            and TIME >= :from and TIME < :until and \
                            """
                                            .replace("TIME", SENT)
                                    + IN_SCOPE
                                    + "group by e.wave order by e.wave limit :max"),
                    Report.PERFORMANCE,
                    Sql.of(
                            """
                            select TIME as at_time, s.key as at_key, s.id as session_id,
                                s.type as session_type, v.duration_ms, v.agent_count,
                                v.total_tokens, (
                                    select count(*) from event e where e.session_id = s.id)
                                    as event_count, s.depth as depth_level
                            from session s join sessions v on v.session_id = s.id
                            where \
                            """
                                            .replace("TIME", STARTED)
                                    + IN_SCOPE
                                    + byTime(STARTED, "s.key")),
                    Report.SPAWN_DELAYS,
                    Sql.of(
                            """
                            select TIME as at_time, s.key as at_key, p.id as parent_id,
                                p.type as parent_type, s.id as child_id, s.type as child_type,
                                r.reason as spawn_reason, r.delegation as delegation_type,
                                TIME - coalesce(p.started_at, p.created_at) as spawn_delay_ms,
                                s.ended_at - TIME as child_duration
                            from session s join session p on p.key = s.parent
                            join relationship r on r.parent_id = p.id and r.child_id = s.id
                            where \
                            """
                                            .replace("TIME", STARTED)
                                    + IN_SCOPE
                                    + byTime(STARTED, "s.key")),
                    Report.RELATIONSHIPS,
                    Sql.of(
                            """
                            select r.type as relationship_type, r.reason as spawn_reason,
                                r.delegation as delegation_type, count(*) as relationships,
                                max(s.depth) as deepest_level
                            from relationship r join session s on s.id = r.child_id
                            where r.set_aside = 0 and \
                            """
                                    + IN_SCOPE
                                    + """
                                    group by r.type, r.reason, r.delegation
                                    order by count(*) desc, r.type
                                    """));

    private static String byTime(String time, String key) {
        return BY_TIME.replace("TIME", time).replace("KEY", key);
    }

    /**
     * Selects the rows of a report.
     *
     * @param within only this session and all below it
     * @param from only what happened at or after this time, where the report has times
     * @param until only what happened before this time
     * @param depthMax only sessions at most so many levels below a root
     */
    record Question(
            Report report, @Nullable SessionId within, Instant from, Instant until, int depthMax) {}

    /** Returns a page of rows, each with a text, a whole number or null for every column. */
    Slice<Map<String, @Nullable Object>> rows(Question question, Cursor cursor) {
        var sql =
                question.report() == Report.TIMELINE
                        ? TIMELINE.within(question.within(), cursor.max())
                        : Objects.requireNonNull(REPORTS.get(question.report()));
        if (question.report() == Report.RELATIONSHIPS) {
            return new Slice<>(asked(sql, question, cursor).list(TreeReports::values), null);
        }
        var found = asked(sql, question, cursor).page(cursor.max() + 1, TreeReports::placed);
        return Keyset.slice(found, cursor.max(), Placed::place);
    }

    private static Call asked(Sql sql, Question question, Cursor cursor) {
        var within = question.within();
        var trail = within == null ? "" : Keys.of(within).trail();
        var call =
                Tx.call(sql)
                        .set("trail", trail)
                        .set("end", Trail.end(trail))
                        .set("depth", question.depthMax());
        var after = cursor.after();
        for (var name : sql.names()) {
            switch (name) {
                case "from" -> call.set(name, question.from());
                case "until" -> call.set(name, question.until());
                case "max" -> call.set(name, cursor.max() + 1L);
                case "after" -> call.set(name, after == null ? "" : text(question.report(), after));
                case "time" ->
                        call.set(
                                name,
                                after == null ? question.from().toEpochMilli() : part(after, 0));
                case "key" -> call.set(name, after == null ? -1 : part(after, 1));
                default -> {}
            }
        }
        return call;
    }

    /** Returns the place of a row as text. PostgreSQL has no texts that contain NUL. */
    private static String text(Report report, String cursor) {
        if (report == Report.CHILDREN) return Keyset.trail(cursor);
        if (cursor.indexOf('\0') >= 0) throw Cursor.malformed(cursor);
        return cursor;
    }

    private static long part(String cursor, int at) {
        var parts = cursor.split("\\.", -1);
        if (parts.length != 2) throw Cursor.malformed(cursor);
        return Keyset.number(parts[at]);
    }

    /** A row with its place in the report, from which the next page continues. */
    private record Placed(Map<String, @Nullable Object> value, String place)
            implements Keyset.Item<Map<String, @Nullable Object>> {}

    private static Placed placed(Row row) throws SQLException {
        boolean isByTime = row.names().getFirst().equals("at_time");
        var key = row.text("at_key");
        return new Placed(values(row), isByTime ? row.text("at_time") + "." + key : key);
    }

    private static Map<String, @Nullable Object> values(Row row) throws SQLException {
        var values = new LinkedHashMap<String, @Nullable Object>();
        for (int i = 0; i < row.names().size(); i++) {
            var name = row.names().get(i);
            if (!name.startsWith("at_")) values.put(name, row.value(i + 1));
        }
        return values;
    }
}
