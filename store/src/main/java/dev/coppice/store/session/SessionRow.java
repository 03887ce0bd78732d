package dev.coppice.store.session;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.Place;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.session.Standing;
import dev.coppice.session.StateWord;
import dev.coppice.session.Times;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.SessionType;

import java.sql.SQLException;

/** Maps sessions to rows of the database. */
public final class SessionRow {
    /** The parent that a root was detached from, in this database or before it was restored. */
    public static final String DETACHED_FROM =
            """
            case when s.parent is null then coalesce(
                (select x.top_id from removal_detached d join removal x on x.key = d.removal
                    where d.session = s.key order by d.removal desc limit 1),
                s.came_from) end as detached_from
            """;

    static final String COLUMNS =
            """
            select s.*, p.id as parent_id, p.name as parent_name, r.id as root_id,
                m.id as removal_id,
            """
                    + DETACHED_FROM
                    + """
                    from session s
                    join any_session r on r.key = s.root
                    left join any_session p on p.key = s.parent
                    left join removal m on m.key = s.removal
                    """;

    /** The states of live sessions, as a list of SQL texts. */
    public static final String ALIVE = "'" + String.join("', '", StateWord.ALIVE) + "'";

    private SessionRow() {}

    /** A session with the keys that lists are paged by. */
    record Keyed(Session value, long key, String trail) implements Keyset.Item<Session> {}

    static Keyed keyed(Row row) throws SQLException {
        return new Keyed(session(row), row.number("key"), row.text("trail"));
    }

    static Session session(Row row) throws SQLException {
        var parentId = row.textOrNull("parent_id");
        var detachedFrom = row.textOrNull("detached_from");
        var parent =
                parentId == null
                        ? null
                        : new Place.Parent(new SessionId(parentId), row.text("parent_name"));
        return new Session(
                new SessionId(row.text("id")),
                row.text("name"),
                row.constant(SessionType.class, "type"),
                new Place(
                        parent,
                        new SessionId(row.text("root_id")),
                        row.integer("depth"),
                        row.text("path")),
                new Profile(
                        row.textOrNull("project_dir"),
                        row.textOrNull("blueprint"),
                        row.textOrNull("source_app"),
                        new JsonText(row.text("metadata")),
                        new Profile.Binding(
                                row.textOrNull("executor_session_id"),
                                row.textOrNull("executor_profile"),
                                row.textOrNull("hostname"))),
                state(row),
                new Times(
                        row.instant("created_at"),
                        row.instantOrNull("started_at"),
                        row.instantOrNull("resumed_at"),
                        row.instantOrNull("ended_at")),
                LimitColumns.read(row),
                new Standing(
                        row.constant(OnParentEnd.class, "on_parent_end"),
                        row.instantOrNull("quiet_at"),
                        row.instantOrNull("fenced_at"),
                        row.instantOrNull("frozen_at"),
                        row.instantOrNull("abandoned_at"),
                        row.textOrNull("removal_id"),
                        detachedFrom == null ? null : new SessionId(detachedFrom)));
    }

    private static SessionState state(Row row) throws SQLException {
        var since = row.instant("since");
        return switch (row.text("state")) {
            case "pending" -> new SessionState.Pending(since);
            case "running" -> new SessionState.Running(since);
            case "idle" -> new SessionState.Idle(since);
            case "stopping" ->
                    new SessionState.Stopping(
                            since, row.instant("deadline"), row.text("stop_reason"));
            case "finished" -> new SessionState.Finished(since, row.text("reason"));
            case "failed" -> new SessionState.Failed(since, row.text("reason"));
            case "stopped" -> new SessionState.Stopped(since, row.text("reason"));
            case "timed_out" -> new SessionState.TimedOut(since, row.text("reason"));
            case "lost" -> new SessionState.Lost(since, row.text("reason"));
            case String word -> throw new IllegalStateException("unknown session state " + word);
        };
    }
}
