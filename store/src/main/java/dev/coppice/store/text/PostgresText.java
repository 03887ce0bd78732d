package dev.coppice.store.text;

import dev.coppice.journal.SearchText;
import dev.coppice.store.engine.Sql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** PostgreSQL's index. A mark begins with an equals sign, so that no word of a text equals it. */
public final class PostgresText implements TextIndex {
    private static final Sql PUT =
            Sql.of(
                    """
                    insert into event_text (rowid, words)
                    select e.number, to_tsvector('simple', :words)
                        || array_to_tsvector(
                            string_to_array('=' || replace(:marks, ' ', ' ='), ' '))
                    from event e where e.number = :number
                    """);

    @Override
    public Sql put() {
        return PUT;
    }

    @Override
    public String condition() {
        return "event_text.words @@ cast(:query as tsquery)";
    }

    @Override
    public String query(List<String> marks, List<List<String>> choices, SearchText text) {
        var wanted = new ArrayList<String>();
        for (var mark : marks) wanted.add("'=" + mark + "'");
        for (var some : choices) {
            wanted.add(some.stream().collect(Collectors.joining("' | '=", "('=", "')")));
        }
        for (var term : text.terms()) wanted.add((term.isExcluded() ? "!" : "") + phrase(term));
        return String.join(" & ", wanted);
    }

    private static String phrase(SearchText.Term term) {
        var words = term.words().stream().collect(Collectors.joining("' <-> '", "('", "'"));
        return words + (term.isOpen() ? ":*)" : ")");
    }
}
