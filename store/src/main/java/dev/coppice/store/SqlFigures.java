package dev.coppice.store;

import dev.coppice.health.Figures;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Counts what there is. */
public final class SqlFigures implements Figures {
    private static final Sql SESSIONS =
            Sql.of("select state as word, count(*) as total from session group by state");
    private static final Sql RUNS =
            Sql.of(
                    """
                    select state as word, count(*) as total from run where ended_at is null
                    group by state
                    """);
    private static final Sql CALLBACKS =
            Sql.of("select state as word, count(*) as total from callback group by state");
    private static final Sql ALERTS =
            Sql.of("select kind as word, count(*) as total from alert group by kind");
    private static final Sql RUNNERS =
            Sql.of("select count(*) from runner where seen_at >= :since");
    private static final Sql QUESTIONS = Sql.of("select count(*) from ask where state = 'open'");
    private static final Sql REMOVALS =
            Sql.of("select count(*) from removal where ended_at is null");

    private static Map<String, Long> counts(Sql sql) {
        var counts = new TreeMap<String, Long>();
        Tx.call(sql).list(row -> counts.put(row.text("word"), row.number("total")));
        return counts;
    }

    @Override
    public Map<String, Long> sessions() {
        return counts(SESSIONS);
    }

    @Override
    public Map<String, Long> runs() {
        return counts(RUNS);
    }

    @Override
    public Map<String, Long> callbacks() {
        return counts(CALLBACKS);
    }

    @Override
    public Map<String, Long> alerts() {
        return counts(ALERTS);
    }

    @Override
    public long runners(Instant since) {
        return Tx.call(RUNNERS).set("since", since).number();
    }

    @Override
    public long openQuestions() {
        return Tx.call(QUESTIONS).number();
    }

    @Override
    public long openRemovals() {
        return Tx.call(REMOVALS).number();
    }
}
