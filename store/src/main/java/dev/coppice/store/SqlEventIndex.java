package dev.coppice.store;

import dev.coppice.journal.Entry;
import dev.coppice.journal.EventIndex;
import dev.coppice.journal.Fact;
import dev.coppice.journal.SearchText;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.SqlDialect;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.text.PostgresText;
import dev.coppice.store.text.SqliteText;
import dev.coppice.store.text.TextIndex;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Finds events by the full-text index of the database. Every other condition is a mark in the same
 * index: a letter for its kind, and a key or a digest. So any combination of conditions is one
 * query, whose rows come in the order of their numbers.
 */
public final class SqlEventIndex implements EventIndex {
    private static final int MARK_BYTES = 8;

    private static final Sql REACHED = Sql.of("select number from event_indexed");
    private static final Sql REACH =
            Sql.of("update event_indexed set number = :to where number = :from");
    private static final Sql UNREAD =
            Sql.of(
                    """
                    select e.number, e.type, e.body, coalesce(e.session, 0) as session, e.tree,
                        coalesce(e.wave, m.wave) as wave
                    from event e left join wave_member m on m.session = e.session
                    where e.number > :number order by e.number limit :max
                    """);

    /** Limits the matches that one page examines: a caller may see only few of them. */
    private static final int EXAMINED_MAX = 5_000;

    private static final String FITTING =
            """
            select event_text.rowid as number from event_text
            where CONDITION and event_text.rowid SIDE :number
            order by event_text.rowid ORDER limit :examined
            """;

    /** A cross join keeps SQLite from reading another table first. */
    private static final String FIND =
            """
            select e.number, e.run, e.type, e.at, e.sent_at, e.body, s.id as session_id
            from (FITTING) t cross join event e join session s on s.key = e.session
            where e.number = t.number and s.trail >= :trail and s.trail < :end
            order by t.number ORDER limit :max
            """;

    private static final String EXAMINED =
            """
            select count(*) as examined, coalesce(min(number), 0) as least,
                coalesce(max(number), 0) as greatest
            from (FITTING) t
            """;

    private final TextIndex index;
    private final Direction after;
    private final Direction before;

    public SqlEventIndex(SqlDialect dialect) {
        this.index = dialect.name().equals("sqlite") ? new SqliteText() : new PostgresText();
        this.after = direction(">", "asc");
        this.before = direction("<", "desc");
    }

    /** The statements for one direction of reading. */
    private record Direction(Sql find, Sql examined) {}

    private Direction direction(String side, String order) {
        var fitting = FITTING.replace("CONDITION", index.condition());
        return new Direction(
                statement(FIND, fitting, side, order), statement(EXAMINED, fitting, side, order));
    }

    private static Sql statement(String text, String fitting, String side, String order) {
        return Sql.of(
                text.replace("FITTING", fitting).replace("SIDE", side).replace("ORDER", order));
    }

    @Override
    public Traits traits(Entry entry) {
        var words = EventWords.of(entry.fact(), FactText.body(entry.fact()));
        return new Traits(words.tool(), words.ending());
    }

    @Override
    public long reached() {
        return Tx.call(REACHED).number();
    }

    @Override
    public Unread unread(int max) {
        long from = reached();
        var lines =
                Tx.call(UNREAD).set("number", from).set("max", max).page(max, SqlEventIndex::line);
        long to = lines.rows().isEmpty() ? from : lines.rows().getLast().number();
        return new Unread(from, to, lines.rows());
    }

    private static Line line(Row row) throws SQLException {
        long number = row.number("number");
        var body = row.text("body");
        var fact = FactText.fact(row.text("type"), body);
        if (fact instanceof Fact.SessionCreated || fact instanceof Fact.SessionUpdated) {
            return new Line(number, "", List.of());
        }
        var words = EventWords.of(fact, body);
        var marks = new ArrayList<String>();
        marks.add(mark('t', row.number("tree")));
        marks.add(mark('s', row.number("session")));
        marks.add(mark('y', fact.shown().type()));
        var wave = row.textOrNull("wave");
        if (wave != null) marks.add(mark('w', wave));
        if (words.tool() != null) marks.add(mark('o', words.tool()));
        if (words.ending() != null) marks.add(mark('e', words.ending().name()));
        return new Line(number, SearchText.spaced(words.text()), marks);
    }

    private static String mark(char kind, long key) {
        return kind + Long.toString(key, Character.MAX_RADIX);
    }

    private static String mark(char kind, String value) {
        try {
            var bytes = value.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
            var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return kind + HexFormat.of().formatHex(digest, 0, MARK_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void add(Unread unread) {
        int moved = Tx.call(REACH).set("from", unread.from()).set("to", unread.to()).update();
        if (moved == 0) return;
        var lines = unread.lines().stream().filter(line -> !line.marks().isEmpty()).toList();
        if (lines.isEmpty()) return;
        var put = Tx.call(index.put());
        for (var line : lines) {
            put.set("number", line.number())
                    .set("words", line.words())
                    .set("marks", String.join(" ", line.marks()))
                    .add();
        }
        put.updateAll();
    }

    @Override
    public Found find(Page page, Search search) {
        var scope = search.scope();
        var marks = new ArrayList<String>();
        var trail = "";
        if (scope.session() != null) marks.add(mark('s', Keys.of(scope.session()).key()));
        if (scope.subtree() != null) {
            var top = Keys.of(scope.subtree());
            marks.add(mark('t', top.tree()));
            trail = top.trail();
        }
        if (search.wave() != null) marks.add(mark('w', search.wave()));
        if (search.tool() != null) marks.add(mark('o', search.tool()));
        if (search.ending() != null) marks.add(mark('e', search.ending().name()));
        var types = search.types().stream().map(type -> mark('y', type)).toList();
        var choices = types.isEmpty() ? List.<List<String>>of() : List.of(types);
        var excerpts = new Excerpts(search.text());
        var query = index.query(marks, choices, search.text());
        var direction = page.isBefore() ? before : after;
        var found =
                asked(direction.find(), query, page)
                        .set("trail", trail)
                        .set("end", Trail.end(trail))
                        .set("max", page.max())
                        .page(page.max(), row -> hit(row, excerpts));
        var hits = found.rows();
        if (found.cut() || hits.size() == page.max()) {
            return new Found(hits, hits.getLast().entry().number());
        }
        return new Found(hits, beyond(direction, query, page));
    }

    private static Call asked(Sql sql, String query, Page page) {
        return Tx.call(sql)
                .set("query", query)
                .set("number", page.number())
                .set("examined", EXAMINED_MAX);
    }

    /** The last event examined, if there may be more beyond it. */
    private static @Nullable Long beyond(Direction direction, String query, Page page) {
        record Seen(long examined, long last) {}
        var end = page.isBefore() ? "least" : "greatest";
        var seen =
                asked(direction.examined(), query, page)
                        .first(row -> new Seen(row.number("examined"), row.number(end)))
                        .orElseThrow();
        return seen.examined() < EXAMINED_MAX ? null : Long.valueOf(seen.last());
    }

    private static Hit hit(Row row, Excerpts excerpts) throws SQLException {
        var entry = SqlJournal.entry(row);
        var words = EventWords.of(entry.fact(), row.text("body"));
        return new Hit(entry, words.tool(), words.ending(), excerpts.of(words.text()));
    }
}
