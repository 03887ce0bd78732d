package dev.coppice.store.removal;

import dev.coppice.removal.Inventory;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;
import dev.coppice.store.session.SessionRow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Queries over the whole database whose results should all be empty. */
public final class SqlInventory implements Inventory {
    private static final int SHOWN_MAX = 10;
    private static final String OVER =
            "(select m.key from removal m where m.state in ('undone', 'taken_back', 'purged'))";

    private static final Sql KNOWN = Sql.of("select count(*) from removal where id = :removal");

    /** An undone removal has no refs left, once runners have released them. */
    private static final Sql REFS =
            Sql.of(
                    """
                    select count(*) from removal m where m.id = :removal and (
                        m.state not in ('undone', 'taken_back') or exists (
                            select 1 from task e where e.removal = m.key
                            and e.kind = 'release' and e.ended_at is null))
                    """);

    private static final Sql LIVE =
            Sql.of("select count(*) from run where id = :run and ended_at is null");

    private static final String TAKEN_AWAY =
            " and e.kind in ('clean_up', 'delete') and e.ended_at is not null and e.failure is null"
                    + " and e.given_up = 0";

    private static final Sql SESSION_ID =
            Sql.of(
                    """
                    select (select count(*) from any_session where id = :id)
                        + (select count(*) from removal_member where session_id = :id)
                    """);
    private static final Sql RUN_GONE =
            Sql.of(
                    "select count(*) from task_run x join task e on e.key = x.task"
                            + " where x.run_id = :run and not exists"
                            + " (select 1 from run r where r.id = :run)"
                            + TAKEN_AWAY);

    private static final Sql DIRECTORY_GONE =
            Sql.of(
                    "select count(*) from task_place p join task e on e.key = p.task"
                            + " where p.directory = :directory and p.made = 'by_coppice'"
                            + " and e.host = :host and not exists"
                            + " (select 1 from any_session s where s.id = p.session_id)"
                            + " and not exists (select 1 from workplace w"
                            + " where w.host = e.host and w.directory = p.directory)"
                            + TAKEN_AWAY);

    /** Each query lists rows that should not exist. */
    private static final Map<String, String> QUESTIONS = questions();

    private static Map<String, String> questions() {
        var questions = new LinkedHashMap<String, String>();
        questions.putAll(Tables.current().danglingReferences());
        askOfSessions(questions);
        askOfRemovals(questions);
        questions.put("sessions that are not paired with their parent", WRONG_PAIRS);
        questions.put("trees with a wrong count of bytes", MISCOUNTED);
        questions.put("states with a wrong count of rows", TALLIED_WRONG);
        questions.put("models with a wrong sum of uses", USES_TALLIED_WRONG);
        return questions;
    }

    /** The subjects of the queries. */
    static Set<String> asked() {
        return QUESTIONS.keySet();
    }

    private static void askOfSessions(Map<String, String> q) {
        q.put(
                "sessions that are not placed below their parent",
                "select s.id from any_session s join any_session p on p.key = s.parent"
                        + " where s.depth <> p.depth + 1 or s.root <> p.root"
                        + " or substr(s.trail, 1, length(p.trail)) <> p.trail");
        q.put(
                "root sessions with another root",
                "select s.id from any_session s where s.parent is null and s.root <> s.key");
        q.put(
                "sessions covered by a removal that is over",
                "select s.id from any_session s where s.removal in " + OVER);
        q.put(
                "visible sessions with a lent name",
                "select s.id from any_session s where s.lent_name is not null and exists"
                        + " (select 1 from session v where v.key = s.key)");
        q.put(
                "sessions with a wrong count of living children",
                "select s.id from session s where s.living_children <> (select count(*)"
                        + " from session c where c.parent = s.key"
                        + " and c.state in ("
                        + SessionRow.ALIVE
                        + "))");
    }

    private static final String WRONG_PAIRS =
            """
            select c.id from any_session c join any_session p on p.key = c.parent
            where not exists (
                select 1 from relationship r
                where r.parent_id = p.id and r.child_id = c.id and r.set_aside = 0)
            union all
            select r.child_id from relationship r join any_session c on c.id = r.child_id
            where r.type = 'parent/child' and r.set_aside = 0 and not exists (
                select 1 from any_session p where p.key = c.parent and p.id = r.parent_id)
            """;

    private static void askOfRemovals(Map<String, String> q) {
        q.put(
                "open callbacks to purged sessions",
                "select c.id from callback c where c.state in ('owed', 'held')"
                        + " and c.session is null");
        q.put(
                "callbacks carried by no live run",
                "select c.id from callback c where c.state = 'carried' and not exists"
                        + " (select 1 from run r where r.id = c.carrier and r.ended_at is null)");
        q.put(
                "open removals without their session",
                "select m.id from removal m where m.session is null"
                        + " and m.state not in ('undone', 'taken_back', 'purged', 'purging',"
                        + " 'restoring')");
        q.put(
                "live runs of hidden sessions",
                "select r.id from run r join any_session s on s.key = r.session"
                        + " join removal m on m.key = s.removal and m.out_of_sight = 1"
                        + " where r.ended_at is null");
        q.put(
                "sessions that their purged removal left behind",
                "select s.id from removal m join removal_member b on b.removal = m.key"
                        + " join any_session s on s.id = b.session_id where m.state = 'purged'"
                        + " and s.created_at < m.began_at and s.removal is null"
                        + " and not exists (select 1 from removal x join removal_member y"
                        + " on y.removal = x.key where y.session_id = b.session_id"
                        + " and x.key > m.key and x.state in ('undoing', 'undone'))");
    }

    /** Compares the counts that triggers maintain with sums over all rows. */
    private static final String MISCOUNTED =
            """
            select cast(tree as text) from (
                select tree, events, metadata, output from tree_bytes
                union all select tree, -octet_length(body), 0, 0 from event
                union all select tree, 0, -octet_length(metadata), 0 from any_session
                union all select tree, 0, -octet_length(parameters)
                    - coalesce(octet_length(result_text), 0)
                    - coalesce(octet_length(result_data), 0), -coalesce(output_bytes, 0) from run
                union all select tree, 0, -coalesce(octet_length(body), 0), 0 from callback) stored
            group by tree having sum(events) <> 0 or sum(metadata) <> 0 or sum(output) <> 0
            """;

    private static final String TALLIED_WRONG =
            """
            select kind || ' ' || word from (
                select kind, word, total from tally
                union all select 'session', state, -1 from any_session where removal is null
                union all select 'run', state, -1 from run
                union all select 'callback', state, -1 from callback
                union all select 'alert', kind, -1 from alert) stored
            group by kind, word having sum(total) <> 0
            """;

    private static final String USES_TALLIED_WRONG =
            """
            select model from (
                select model, calls, input + output + cache_read + cache_write + cache_write_hour
                    as tokens, cost_micros, unpriced from model_tally
                union all select model, -1,
                    -(input + output + cache_read + cache_write + cache_write_hour),
                    -coalesce(cost_micros, 0), case when cost_micros is null
                    then -(input + output + cache_read + cache_write + cache_write_hour) else 0 end
                from model_use) stored
            group by model
            having sum(calls) <> 0 or sum(tokens) <> 0 or sum(cost_micros) <> 0
                or sum(unpriced) <> 0
            """;

    @Override
    public List<Leftover> leftovers() {
        var found = new ArrayList<Leftover>();
        QUESTIONS.forEach((what, question) -> {
            var all = Tx.call(Sql.of(question)).list(row -> row.text(1));
            if (!all.isEmpty()) {
                found.add(
                        new Leftover(
                                what, all.size(), all.subList(0, Math.min(SHOWN_MAX, all.size()))));
            }
        });
        return List.copyOf(found);
    }

    @Override
    public List<String> backups() {
        return Tx.call(
                        Sql.of(
                                "select m.backup_file from removal m where m.backup_file is not"
                                        + " null"))
                .list(row -> row.text(1));
    }

    @Override
    public boolean isKnown(String removal) {
        return Tx.call(KNOWN).set("removal", removal).number() > 0;
    }

    @Override
    public boolean mayHaveRefs(String removal) {
        return Tx.call(REFS).set("removal", removal).number() > 0;
    }

    @Override
    public boolean isLive(String run) {
        return Tx.call(LIVE).set("run", run).number() > 0;
    }

    @Override
    public boolean wasDeleted(String run) {
        return Tx.call(RUN_GONE).set("run", run).number() > 0;
    }

    @Override
    public boolean isOfASession(String id) {
        return Tx.call(SESSION_ID).set("id", id).number() > 0;
    }

    @Override
    public boolean wasDeleted(String host, String directory) {
        return Tx.call(DIRECTORY_GONE).set("host", host).set("directory", directory).number() > 0;
    }

    @Override
    public List<String> preservedFiles() {
        return Tx.call(
                        Sql.of(
                                "select w.preserved_file from work_item w where w.preserved_file is"
                                        + " not null"))
                .list(row -> row.text(1));
    }
}
