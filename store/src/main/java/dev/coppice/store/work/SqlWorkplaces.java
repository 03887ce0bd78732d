package dev.coppice.store.work;

import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.session.SessionRow;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;
import dev.coppice.work.Workplaces;

import java.util.List;

/** Stores the directories in which sessions have worked. */
public final class SqlWorkplaces implements Workplaces {
    private static final Sql NOTE =
            Sql.of(
                    """
                    insert into workplace (session, host, directory, made, outputs)
                    select s.key, :host, :directory, :made, :outputs from session s
                    where s.id = :session
                    on conflict (session, host, directory, outputs) do nothing
                    """);

    /** A directory and all its parent directories. */
    private static final String UP =
            """
            with recursive up (directory) as (
                select cast(:directory as text)
                union all
                select rtrim(rtrim(up.directory, replace(up.directory, '/', '')), '/') from up
                where up.directory <> '')
            """;

    private static final String BY_SOMEONE =
            """
            select w.key from workplace w join session s on s.key = w.session
            where w.host = :host and s.state in (%s)
            """
                    .formatted(SessionRow.ALIVE);
    private static final Sql IN_USE =
            Sql.of(
                    UP
                            + BY_SOMEONE
                            + "and (w.directory = '/' or w.directory in (select up.directory"
                            + " from up)) union all "
                            + BY_SOMEONE
                            + """
                            and w.directory > rtrim(:directory, '/') || '/'
                            and w.directory < rtrim(:directory, '/') || '0'
                            limit 1
                            """);

    private static final Sql IS_MADE =
            Sql.of(
                    """
                    select key from workplace where host = :host and directory = :directory
                    and made = 'by_coppice' limit 1
                    """);
    private static final Sql CONFIRM =
            Sql.of(
                    """
                    insert into confirmed_work (removal, host, directory, fingerprint)
                    select m.key, :host, :directory, :fingerprint from removal m
                    where m.id = :removal
                    """);
    private static final Sql FORGET =
            Sql.of(
                    """
                    delete from confirmed_work
                    where removal = (select m.key from removal m where m.id = :removal)
                    """);
    private static final Sql CONFIRMED =
            Sql.of(
                    """
                    select c.host, c.directory, c.fingerprint from confirmed_work c
                    join removal m on m.key = c.removal where m.id = :removal
                    """);

    @Override
    public void note(Workplace place) {
        Tx.call(NOTE)
                .set("session", place.session().value())
                .set("host", place.host())
                .set("directory", place.directory())
                .set("made", place.made())
                .set("outputs", place.outputs())
                .update();
    }

    @Override
    public boolean isInUse(String host, String directory) {
        return Tx.call(IN_USE)
                .set("host", host)
                .set("directory", directory)
                .first(row -> row.number("key"))
                .isPresent();
    }

    @Override
    public boolean isMade(String host, String directory) {
        return Tx.call(IS_MADE)
                .set("host", host)
                .set("directory", directory)
                .first(row -> row.number("key"))
                .isPresent();
    }

    @Override
    public void confirmed(String removal, List<WorkItem.State> states) {
        for (var state : states) {
            Tx.call(CONFIRM)
                    .set("removal", removal)
                    .set("host", state.host())
                    .set("directory", state.directory())
                    .set("fingerprint", state.fingerprint())
                    .update();
        }
    }

    @Override
    public void forgetConfirmed(String removal) {
        Tx.call(FORGET).set("removal", removal).update();
    }

    @Override
    public List<WorkItem.State> confirmed(String removal) {
        return Tx.call(CONFIRMED)
                .set("removal", removal)
                .list(row ->
                        new WorkItem.State(
                                row.text("host"), row.text("directory"), row.text("fingerprint")));
    }
}
