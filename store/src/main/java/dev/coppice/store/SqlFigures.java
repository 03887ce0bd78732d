package dev.coppice.store;

import dev.coppice.health.Figures;
import dev.coppice.run.RunWord;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads counts that triggers maintain: a monitor asks often, and counting reads every row. Runners,
 * questions and removals are few, so they are counted.
 */
public final class SqlFigures implements Figures {
    private static final Sql TALLY =
            Sql.of("select word, total from tally where kind = :kind and total > 0");
    private static final Sql RUNNERS =
            Sql.of("select count(*) from runner where seen_at >= :since");
    private static final Sql QUESTIONS = Sql.of("select count(*) from ask where state = 'open'");
    private static final Sql REMOVALS =
            Sql.of("select count(*) from removal where ended_at is null");

    private static Map<String, Long> tally(String kind) {
        var counts = new TreeMap<String, Long>();
        Tx.call(TALLY)
                .set("kind", kind)
                .list(row -> counts.put(row.text("word"), row.number("total")));
        return counts;
    }

    @Override
    public Map<String, Long> sessions() {
        return tally("session");
    }

    @Override
    public Map<String, Long> runs() {
        var runs = tally("run");
        runs.keySet().retainAll(RunWord.LIVE);
        return runs;
    }

    @Override
    public Map<String, Long> callbacks() {
        return tally("callback");
    }

    @Override
    public Map<String, Long> alerts() {
        return tally("alert");
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
