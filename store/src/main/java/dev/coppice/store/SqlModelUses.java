package dev.coppice.store;

import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.usage.ModelUse;
import dev.coppice.usage.ModelUse.Source;
import dev.coppice.usage.ModelUses;
import dev.coppice.usage.TokenCounts;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Stores uses of models. */
public final class SqlModelUses implements ModelUses {
    private static final String USE =
            """
            select u.*, s.id as session_id from model_use u join any_session s on s.key = u.session
            """;
    private static final Sql BY_MESSAGE = Sql.of(USE + "where u.message = :id");
    private static final Sql BY_REQUEST = Sql.of(USE + "where u.request = :id");
    private static final Sql SUMS =
            Sql.of(USE + "where u.main = :main and u.source in ('metric', 'total')");
    private static final Sql WITHOUT_COST =
            Sql.of(
                    USE
                            + """
                            where u.cost_micros is null and u.key > :after order by u.key limit :max
                            """);
    private static final Sql ADD = Tables.insert("model_use");
    private static final Sql SAVE =
            Sql.of(
                    """
                    update model_use set session = :session, message = :message,
                        request = :request, model = :model, input = :input, output = :output,
                        cache_read = :cache_read, cache_write = :cache_write,
                        cache_write_hour = :cache_write_hour, cost_told = :cost_told,
                        cost_micros = :cost_micros, source = :source, at = :at
                    where key = :key
                    """);
    private static final Sql DELETE = Sql.of("delete from model_use where key = :key");
    private static final Sql HAS_CALLS =
            Sql.of(
                    """
                    select case when exists (
                        select 1 from model_use where main = :main
                        and source not in ('metric', 'total'))
                    then 1 else 0 end
                    """);
    private static final String SUMMED =
            """
            u.model, count(*) as calls, sum(u.input) as input, sum(u.output) as output,
                sum(u.cache_read) as cache_read, sum(u.cache_write) as cache_write,
                sum(u.cache_write_hour) as cache_write_hour,
                coalesce(sum(u.cost_micros), 0) as cost_micros,
                sum(case when u.cost_micros is null then u.input + u.output + u.cache_read
                    + u.cache_write + u.cache_write_hour else 0 end) as unpriced
            from session s join model_use u on u.session = s.key
            """;
    private static final String BY_MODEL = "select " + SUMMED;
    private static final Sql OWN =
            Sql.of(BY_MODEL + "where s.key = :key group by u.model order by u.model");
    private static final String WITHIN = "where s.trail >= :trail and s.trail < :end ";
    private static final Sql ALL = Sql.of(BY_MODEL + WITHIN + "group by u.model order by u.model");
    private static final Sql TOTALS =
            Sql.of("select t.* from model_tally t where t.calls > 0 order by t.model");
    private static final Sql SPAN =
            Sql.of(
                    """
                    select min(u.at) as first, max(u.at) as last
                    from session s join model_use u on u.session = s.key
                    """
                            + WITHIN);
    private static final String PARTS =
            """
            select (u.at - :from) / :each as part, sum(u.input + u.output + u.cache_read
                + u.cache_write + u.cache_write_hour) as tokens,
                coalesce(sum(u.cost_micros), 0) as cost_micros
            from session s join model_use u on u.session = s.key
            """;
    private static final Sql OVER = Sql.of(PARTS + WITHIN + "group by 1 order by 1");

    private static final String IN_TIME = WITHIN + "and u.at >= :from and u.at < :until ";
    private static final Sql SPENT = spent("''");
    private static final Sql SPENT_WITH_LABELS = spent("s.metadata");
    private static final Sql SPENT_OVER = Sql.of(PARTS + IN_TIME + "group by 1 order by 1");
    private static final Sql BETWEEN =
            Sql.of(
                    """
                    select u.at, u.input + u.output + u.cache_read + u.cache_write
                        + u.cache_write_hour as tokens, coalesce(u.cost_micros, 0) as cost_micros
                    from model_use u
                    where u.session = :session and u.at >= :from and u.at < :until
                    order by u.at, u.key limit :max
                    """);

    @Override
    public List<Charged> like(ModelUse.Key key) {
        var found = new ArrayList<Charged>();
        if (key.message() != null) found.addAll(by(BY_MESSAGE, key.message()));
        if (key.request() != null) found.addAll(by(BY_REQUEST, key.request()));
        return found.stream().distinct().toList();
    }

    private static List<Charged> by(Sql sql, String id) {
        return Tx.call(sql).set("id", id).list(SqlModelUses::charged);
    }

    private static Charged charged(Row row) throws SQLException {
        var use =
                new ModelUse(
                        new ModelUse.Key(row.textOrNull("message"), row.textOrNull("request")),
                        row.text("model"),
                        tokens(row),
                        row.numberOrNull("cost_told"),
                        row.constant(Source.class, "source"),
                        row.instant("at"));
        return new Charged(
                row.number("key"),
                new SessionId(row.text("session_id")),
                use,
                row.numberOrNull("cost_micros"));
    }

    private static TokenCounts tokens(Row row) throws SQLException {
        return new TokenCounts(
                row.number("input"),
                row.number("output"),
                row.number("cache_read"),
                row.number("cache_write"),
                row.number("cache_write_hour"));
    }

    @Override
    public void add(SessionId session, SessionId main, ModelUse use, @Nullable Long cost) {
        set(Tx.call(ADD), session, use, cost).set("main", Keys.of(main).key()).update();
    }

    @Override
    public void save(Charged use) {
        set(Tx.call(SAVE), use.session(), use.use(), use.costMicros())
                .set("key", use.key())
                .update();
    }

    private static Call set(Call call, SessionId session, ModelUse use, @Nullable Long cost) {
        var tokens = use.tokens();
        return call.set("session", Keys.of(session).key())
                .set("message", use.key().message())
                .set("request", use.key().request())
                .set("model", use.model())
                .set("input", tokens.input())
                .set("output", tokens.output())
                .set("cache_read", tokens.cacheRead())
                .set("cache_write", tokens.cacheWrite())
                .set("cache_write_hour", tokens.cacheWriteHour())
                .setNumber("cost_told", use.costMicros())
                .setNumber("cost_micros", cost)
                .set("source", use.source())
                .set("at", use.at());
    }

    @Override
    public void delete(Charged use) {
        Tx.call(DELETE).set("key", use.key()).update();
    }

    @Override
    public boolean hasCalls(SessionId main) {
        return Tx.call(HAS_CALLS).set("main", Keys.of(main).key()).number() == 1;
    }

    @Override
    public List<Charged> sums(SessionId main) {
        return Tx.call(SUMS).set("main", Keys.of(main).key()).list(SqlModelUses::charged);
    }

    @Override
    public List<Charged> withoutCost(long after, int max) {
        return Tx.call(WITHOUT_COST)
                .set("after", after)
                .set("max", max)
                .list(SqlModelUses::charged);
    }

    @Override
    public List<Sum> own(SessionId session) {
        return Tx.call(OWN).set("key", Keys.of(session).key()).list(SqlModelUses::sum);
    }

    @Override
    public List<Sum> all(SessionId within) {
        return within(ALL, within).list(SqlModelUses::sum);
    }

    @Override
    public List<Sum> totals() {
        return Tx.call(TOTALS).list(SqlModelUses::sum);
    }

    private static Call within(Sql sql, SessionId within) {
        var trail = Keys.of(within).trail();
        return Tx.call(sql).set("trail", trail).set("end", Trail.end(trail));
    }

    private static Sum sum(Row row) throws SQLException {
        return new Sum(
                row.text("model"),
                row.number("calls"),
                tokens(row),
                row.number("cost_micros"),
                row.number("unpriced"));
    }

    @Override
    public Optional<Span> span(SessionId within) {
        return within(SPAN, within).first(SqlModelUses::span).flatMap(span -> span);
    }

    private static Optional<Span> span(Row row) throws SQLException {
        var first = row.instantOrNull("first");
        var last = row.instantOrNull("last");
        return first == null || last == null
                ? Optional.empty()
                : Optional.of(new Span(first, last));
    }

    @Override
    public List<Part> over(SessionId within, Instant from, Duration each) {
        return within(OVER, within)
                .set("from", from)
                .set("each", each.toMillis())
                .list(row -> part(row, from, each));
    }

    private static Part part(Row row, Instant from, Duration each) throws SQLException {
        return new Part(
                from.plus(each.multipliedBy(row.number("part"))),
                row.number("tokens"),
                row.number("cost_micros"));
    }

    @Override
    public List<Part> between(SessionId session, Instant from, Instant until, int max) {
        return Tx.call(BETWEEN)
                .set("session", Keys.of(session).key())
                .set("from", from)
                .set("until", until)
                .set("max", max)
                .list(row ->
                        new Part(
                                row.instant("at"),
                                row.number("tokens"),
                                row.number("cost_micros")));
    }

    private static Sql spent(String metadata) {
        return Sql.of(
                "select t.id as root, t.name as tree, s.blueprint, s.hostname, %s as metadata, "
                                .formatted(metadata)
                        + SUMMED
                        + " join any_session t on t.key = s.root "
                        + IN_TIME
                        + """
                        group by s.key, t.id, t.name, s.blueprint, s.hostname, %s, u.model
                        order by s.key, u.model limit :max
                        """
                                .formatted(metadata.equals("''") ? "s.key" : metadata));
    }

    @Override
    public List<Spent> spent(@Nullable SessionId within, Instant from, Instant until, int max) {
        return inTime(SPENT, within, from, until).set("max", max).list(SqlModelUses::spent);
    }

    @Override
    public void labelled(
            @Nullable SessionId within,
            Instant from,
            Instant until,
            int max,
            Consumer<Spent> each) {
        inTime(SPENT_WITH_LABELS, within, from, until)
                .set("max", max)
                .walk(SqlModelUses::spent, each);
    }

    private static Spent spent(Row row) throws SQLException {
        return new Spent(
                new SessionId(row.text("root")),
                row.text("tree"),
                row.textOrNull("blueprint"),
                row.textOrNull("hostname"),
                row.text("metadata"),
                sum(row));
    }

    @Override
    public List<Part> spentOver(
            @Nullable SessionId within, Instant from, Instant until, Duration each) {
        return inTime(SPENT_OVER, within, from, until)
                .set("each", each.toMillis())
                .list(row -> part(row, from, each));
    }

    private static Call inTime(Sql sql, @Nullable SessionId within, Instant from, Instant until) {
        var trail = within == null ? "" : Keys.of(within).trail();
        return Tx.call(sql)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .set("from", from)
                .set("until", until);
    }
}
