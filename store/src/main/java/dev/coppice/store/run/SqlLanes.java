package dev.coppice.store.run;

import dev.coppice.run.Lane;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the lanes in their index, one look-up for each. Migration 0012 creates the index with the
 * same expression: with another one, every claim would read all queued runs. A run that is set
 * aside is in another part of the index.
 */
final class SqlLanes {
    private static final String NAME =
            Stream.of(
                            "demand_hostname",
                            "demand_project_dir",
                            "demand_executor_profile",
                            "demand_executor_type",
                            "demand_tags",
                            "account")
                    .map(column -> "coalesce('=' || replace(r." + column + ", '/', '//'), '')")
                    .collect(Collectors.joining(" || '/.' || ", "(", ")"));

    static final Sql NEXT =
            Sql.of(
                    """
                    select NAME as lane, r.demand_hostname, r.demand_project_dir,
                        r.demand_executor_profile, r.demand_executor_type, r.demand_tags, r.account
                    from run r where r.state = 'queued' and r.aside = 0 and NAME > :after
                    order by NAME, r.key limit 1
                    """
                            .replace("NAME", NAME));
    static final Sql FIRST =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where r.state = 'queued' and r.aside = 0 and NAME = :lane
                            and r.key > :after and s.frozen_at is null and s.removal is null
                            order by r.key limit 1
                            """
                                    .replace("NAME", NAME));

    static final Sql COUNT =
            Sql.of(
                    """
                    select count(*) from (
                        select 1 as one from run r
                        where r.state = 'queued' and r.aside = 0 and NAME = :lane
                        limit :max) counted
                    """
                            .replace("NAME", NAME));

    static final Sql SET_ASIDE =
            Sql.of(
                    """
                    update run set aside = :top
                    where tree = :tree and state = 'queued' and aside = 0 and ended_at is null
                    and exists (
                        select 1 from any_session s
                        where s.key = run.session and s.trail >= :trail and s.trail < :end)
                    """);

    /** Runs of frozen sessions stay aside until their session thaws. */
    static final Sql TAKE_BACK =
            Sql.of(
                    """
                    update run set aside = 0
                    where state = 'queued' and aside = :top and not exists (
                        select 1 from any_session s
                        where s.key = run.session and s.frozen_at is not null)
                    """);

    private SqlLanes() {}

    static List<Lane> all() {
        var found = new ArrayList<Lane>();
        var next = after("");
        while (next.isPresent()) {
            found.add(next.get());
            next = after(next.get().name());
        }
        return found;
    }

    private static Optional<Lane> after(String lane) {
        return Tx.call(NEXT).set("after", lane).first(SqlLanes::lane);
    }

    private static Lane lane(Row row) throws SQLException {
        return new Lane(row.text("lane"), RunRow.demands(row), row.textOrNull("account"));
    }

    static int countIn(Lane lane, int max) {
        return (int) Tx.call(COUNT).set("lane", lane.name()).set("max", max).number();
    }

    static void setAside(Keys top, Keys one) {
        Tx.call(SET_ASIDE)
                .set("top", top.key())
                .set("tree", one.tree())
                .set("trail", top.trail())
                .set("end", Trail.end(top.trail()))
                .update();
    }

    static void takeBack(Keys top) {
        Tx.call(TAKE_BACK).set("top", top.key()).update();
    }

    static Optional<Lane.First> firstIn(Lane lane, long after) {
        return Tx.call(FIRST)
                .set("lane", lane.name())
                .set("after", after)
                .first(row ->
                        new Lane.First(
                                RunRow.run(row), row.number("key"), row.number("fence") + 1));
    }
}
