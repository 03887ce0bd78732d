package dev.coppice.store.text;

import dev.coppice.journal.SearchText;
import dev.coppice.store.engine.Sql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** SQLite's index: a table of the extension FTS5 that keeps no texts. */
public final class SqliteText implements TextIndex {
    private static final Sql PUT =
            Sql.of(
                    """
                    insert into event_text (rowid, words, marks)
                    select e.number, :words, :marks from event e where e.number = :number
                    """);

    @Override
    public Sql put() {
        return PUT;
    }

    @Override
    public String condition() {
        return "event_text match :query";
    }

    @Override
    public String query(List<String> marks, List<List<String>> choices, SearchText text) {
        var wanted = new ArrayList<String>();
        for (var mark : marks) wanted.add("marks : " + mark);
        for (var some : choices) {
            wanted.add("marks : (" + String.join(" OR ", some) + ")");
        }
        for (var term : text.terms()) if (!term.isExcluded()) wanted.add(phrase(term));
        var query = new StringBuilder("(" + String.join(" AND ", wanted) + ")");
        for (var term : text.terms()) {
            if (term.isExcluded()) query.append(" NOT ").append(phrase(term));
        }
        return query.toString();
    }

    private static String phrase(SearchText.Term term) {
        var words = term.words().stream().collect(Collectors.joining(" ", "\"", "\""));
        return "words : " + words + (term.isOpen() ? " *" : "");
    }
}
