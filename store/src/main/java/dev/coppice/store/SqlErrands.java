package dev.coppice.store;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Slice;
import dev.coppice.work.Errand;
import dev.coppice.work.ErrandId;
import dev.coppice.work.Errands;
import dev.coppice.work.WorkItem;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Errands as the database knows them. */
final class SqlErrands implements Errands {
    /** So long it stays with the runner that has taken it, unless that asks for it again. */
    static final Duration TAKEN_FOR = Duration.ofMinutes(2);

    /** Who does not ask for more soon was told in vain: it is gone, or the answer was lost. */
    private static final Duration UNHEARD_FOR = Duration.ofSeconds(3);

    /** The same runner is told again: the answer that told it may have been lost. */
    private static final Duration TOLD_AGAIN = Duration.ofSeconds(5);

    /** A look is for a removal only where that may throw away what was seen. */
    private static final Sql FIND =
            Sql.of(
                    """
                    select e.*, m.id as removal_id from errand e
                    left join removal m on m.key = e.removal
                    and (e.kind <> 'look' or m.work = 'discard') where e.key = :key
                    """);

    private static final Sql OPEN =
            Sql.of(
                    """
                    select e.key from errand e
                    where e.host = :host and e.ended_at is null and (
                        e.taken_at is null or e.taken_at <= :silent
                        or (e.runner = :runner and e.taken_at <= :again))
                    and (e.kind <> 'release' or not exists (
                        select 1 from errand k where k.removal = e.removal and k.kind = 'keep'
                        and k.host = e.host and k.ended_at is null))
                    and (e.kind <> 'keep' or not exists (
                        select 1 from errand k where k.removal = e.removal and k.kind = 'keep'
                        and k.host = e.host and k.ended_at is null and k.key < e.key) or not exists
                        (select 1 from errand_place p where p.errand = e.key and p.again = 1))
                    order by e.key limit :max
                    """);
    private static final Sql TAKE =
            Sql.of(
                    """
                    update errand set runner = :runner,
                        taken_at = case when runner = :runner then :at else :unheard end
                    where key = :key and ended_at is null and (
                        taken_at is null or taken_at <= :silent
                        or (runner = :runner and taken_at <= :again))
                    """);
    private static final Sql UNHEARD =
            Sql.of(
                    """
                    select count(*) from errand
                    where host = :host and ended_at is null and runner = :runner
                    and taken_at <= :unheard
                    """);
    private static final Sql HEARD =
            Sql.of(
                    """
                    update errand set taken_at = :at
                    where host = :host and ended_at is null and runner = :runner
                    and taken_at <= :unheard
                    """);
    private static final Sql AGAIN_AT_ONCE =
            Sql.of("update errand set taken_at = null where key = :key");

    /** Who works there, or below it, when it is told counts, and not who did when it was asked. */
    private static final Sql PLACES =
            Sql.of(
                    """
                    select p.errand, p.place, p.workplace, p.directory, p.session_id,
                        p.session_name, p.outputs, p.again,
                        case when e.kind in ('tidy', 'wipe') and (
                            exists (
                                select 1 from workplace w join any_session s on s.key = w.session
                                left join removal m on m.key = s.removal
                                where w.host = e.host
                                and (w.directory = p.directory
                                    or (w.directory > p.directory || '/'
                                        and w.directory < p.directory || '0'))
                                and (m.state is null or m.state <> 'purging'))
                            or exists (
                                select 1 from any_session s
                                left join removal m on m.key = s.removal
                                where s.id = p.session_id
                                and (m.state is null or m.state <> 'purging')))
                        then 'by_others' else p.made end as made
                    from errand_place p join errand e on e.key = p.errand
                    where p.errand = :key order by p.place
                    """);

    private static final Sql RUNS =
            Sql.of("select r.run_id from errand_run r where r.errand = :key order by r.place");
    private static final Sql END =
            Sql.of("update errand set ended_at = :at, failure = :why where key = :key");

    private static final Sql ITEMS_OF =
            Sql.of("select w.* from work_item w where w.errand = :key order by w.key");
    private static final Sql ITEMS =
            Sql.of(
                    """
                    select w.* from work_item w join errand e on e.key = w.errand
                    where e.removal = (select m.key from removal m where m.id = :removal)
                    and w.key > :after order by w.key limit :max
                    """);
    private static final Sql FORGET = Sql.of("delete from errand where key = :key");
    private static final Sql OF =
            Sql.of(
                    "select e.key from errand e join removal m on m.key = e.removal"
                            + " where m.id = :removal and e.kind = :kind order by e.key");
    private static final Sql FORGET_OUTPUT =
            Sql.of(
                    """
                    delete from work_item where kind = 'output' and kept_file is not null
                    and errand in (
                        select e.key from errand e join removal m on m.key = e.removal
                        where m.id = :removal)
                    returning kept_file
                    """);
    private static final Sql FORGET_LOOKS =
            Sql.of(
                    """
                    delete from errand where removal is null and (
                        (kind in ('look', 'check') and asked_at < :before)
                        or (kind = 'copy' and asked_at < :copied))
                    """);

    @Override
    public int ask(String removal, Errand.Kind kind, Errand.Terms terms, int placesMax) {
        return ErrandPlaces.ask(removal, kind, terms, placesMax);
    }

    @Override
    public List<Asked> look(Around around, Errand.Kind kind, Errand.Terms terms, int placesMax) {
        return ErrandPlaces.look(around, kind, terms, placesMax);
    }

    @Override
    public List<Asked> check(List<String> hosts, Errand.Terms terms, int placesMax) {
        return ErrandPlaces.check(hosts, terms, placesMax);
    }

    static long key(ErrandId id) {
        var text = id.value();
        try {
            return text.startsWith("err_") ? Long.parseLong(text.substring(4)) : -1;
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    static ErrandId id(long key) {
        return new ErrandId("err_" + key);
    }

    @Override
    public List<ErrandId> open(String host, RunnerId runner, Instant now, int max) {
        return Tx.call(OPEN)
                .set("host", host)
                .set("runner", runner.value())
                .set("silent", now.minus(TAKEN_FOR))
                .set("again", now.minus(TOLD_AGAIN))
                .set("max", max)
                .list(row -> id(row.number("key")));
    }

    @Override
    public boolean isUnheard(String host, RunnerId runner, Instant now) {
        return ofRunner(UNHEARD, host, runner, now).number() > 0;
    }

    @Override
    public void heard(String host, RunnerId runner, Instant at) {
        ofRunner(HEARD, host, runner, at).set("at", at).update();
    }

    private static Call ofRunner(Sql sql, String host, RunnerId runner, Instant at) {
        return Tx.call(sql)
                .set("host", host)
                .set("runner", runner.value())
                .set("unheard", at.minus(TAKEN_FOR).plus(UNHEARD_FOR));
    }

    @Override
    public boolean isTaken(ErrandId id, RunnerId runner, Instant at) {
        return Tx.call(TAKE)
                        .set("key", key(id))
                        .set("runner", runner.value())
                        .set("at", at)
                        .set("unheard", at.minus(TAKEN_FOR).plus(UNHEARD_FOR))
                        .set("silent", at.minus(TAKEN_FOR))
                        .set("again", at.minus(TOLD_AGAIN))
                        .update()
                == 1;
    }

    @Override
    public Optional<Errand> find(ErrandId id) {
        long key = key(id);
        var found = Tx.call(PLACES).set("key", key).list(ErrandPlaces::place);
        var runs = Tx.call(RUNS).set("key", key).list(row -> new RunId(row.text("run_id")));
        return Tx.call(FIND).set("key", key).first(row -> errand(row, found, runs));
    }

    @Override
    public boolean isOpen(ErrandId id) {
        return Tx.call(FIND)
                .set("key", key(id))
                .first(row -> row.instantOrNull("ended_at") == null)
                .orElse(false);
    }

    @Override
    public void done(ErrandId id, Instant at, List<WorkItem> items) {
        Tx.call(END).set("key", key(id)).set("at", at).set("why", (String) null).update();
        items.forEach(item -> WorkItemRow.add(key(id), item));
    }

    @Override
    public void keptMore(ErrandId id, List<WorkItem> items) {
        Tx.call(AGAIN_AT_ONCE).set("key", key(id)).update();
        items.forEach(item -> WorkItemRow.add(key(id), item));
    }

    @Override
    public Optional<String> failure(ErrandId id) {
        return Tx.call(FIND)
                .set("key", key(id))
                .first(row -> Optional.ofNullable(row.textOrNull("failure")))
                .flatMap(why -> why);
    }

    @Override
    public boolean hasAnswered(ErrandId id) {
        return Tx.call(FIND)
                .set("key", key(id))
                .first(row ->
                        row.instantOrNull("ended_at") != null && row.textOrNull("failure") == null)
                .orElse(false);
    }

    @Override
    public void failed(ErrandId id, Instant at, String why) {
        Tx.call(END).set("key", key(id)).set("at", at).set("why", why).update();
    }

    @Override
    public ErrandId adopt(String removal, String host, Instant at) {
        return ErrandPlaces.adopt(removal, host, at);
    }

    @Override
    public Progress progress(String removal, Errand.Kind kind) {
        return ErrandProgress.of(removal, kind);
    }

    @Override
    public int releaseAgain(Instant failedBefore) {
        return ErrandProgress.releaseAgain(failedBefore);
    }

    @Override
    public void askAgain(String removal, Errand.Kind kind, Instant failedBefore) {
        ErrandProgress.askAgain(removal, kind, failedBefore);
    }

    @Override
    public void giveUp(String removal, Errand.Kind kind, Instant at, String why) {
        ErrandProgress.giveUp(removal, kind, at, why);
    }

    @Override
    public void letGo(String removal, Errand.Kind kind, Instant at, String why) {
        ErrandProgress.letGo(removal, kind, at, why);
    }

    @Override
    public List<NotKept> notKept(String removal, int max) {
        return ErrandProgress.notKept(removal, max);
    }

    @Override
    public List<WorkItem> found(List<ErrandId> ids) {
        return ids.stream()
                .flatMap(id -> Tx.call(ITEMS_OF).set("key", key(id)).list(WorkItemRow::of).stream())
                .toList();
    }

    @Override
    public Slice<WorkItem> found(String removal, Cursor cursor) {
        long after = cursor.after() == null ? 0 : Keyset.number(cursor.after());
        var found =
                Tx.call(ITEMS)
                        .set("removal", removal)
                        .set("after", after)
                        .set("max", cursor.max() + 1L)
                        .page(
                                cursor.max() + 1,
                                row -> new Keyed(WorkItemRow.of(row), row.number("key")));
        return Keyset.slice(found, cursor.max(), k -> Long.toString(k.key()));
    }

    private record Keyed(WorkItem value, long key) implements Keyset.Item<WorkItem> {}

    @Override
    public void forget(List<ErrandId> looks) {
        for (var id : looks) Tx.call(FORGET).set("key", key(id)).update();
    }

    @Override
    public List<ErrandId> of(String removal, Errand.Kind kind) {
        return Tx.call(OF)
                .set("removal", removal)
                .set("kind", word(kind))
                .list(row -> id(row.number("key")));
    }

    @Override
    public List<String> forgetOutput(String removal) {
        return Tx.call(FORGET_OUTPUT).set("removal", removal).list(row -> row.text("kept_file"));
    }

    @Override
    public int forgetLooks(Instant askedBefore, Instant copied) {
        return Tx.call(FORGET_LOOKS).set("before", askedBefore).set("copied", copied).update();
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static <E extends Enum<E>> E value(Class<E> type, Row row, String column) throws SQLException {
        return Enum.valueOf(type, row.text(column).toUpperCase(Locale.ROOT));
    }

    private static Errand errand(Row row, List<Errand.Place> places, List<RunId> runs)
            throws SQLException {
        return new Errand(
                id(row.number("key")),
                value(Errand.Kind.class, row, "kind"),
                row.text("host"),
                row.textOrNull("removal_id"),
                new Errand.Terms(
                        value(Errand.Ignored.class, row, "ignored"),
                        value(Errand.Directories.class, row, "directories"),
                        row.instant("at")),
                places,
                runs);
    }
}
