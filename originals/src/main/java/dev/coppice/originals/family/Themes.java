package dev.coppice.originals.family;

import dev.coppice.kernel.JsonText;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** The colour themes that pages of the hook server keep. All methods join the transaction. */
final class Themes {
    /** A theme as it was sent. */
    record Theme(String name, boolean isPublic, Instant at, JsonText body) {}

    private static final Sql ADD =
            Tables.insert("theme").followedBy("on conflict (name) do nothing");
    private static final Sql COUNT = Sql.of("select count(*) from theme");
    private static final Sql PUBLISHED =
            Sql.of(
                    """
                    select name, is_public, created_at, body from theme where is_public = 1
                    order by created_at desc, name limit :max
                    """);

    /** Returns false if the name is taken. */
    boolean add(Theme theme) {
        return Tx.call(ADD)
                        .set("name", theme.name())
                        .set("is_public", theme.isPublic() ? 1 : 0)
                        .set("created_at", theme.at())
                        .set("body", theme.body().value())
                        .update()
                == 1;
    }

    long count() {
        return Tx.call(COUNT).number();
    }

    /** Newest first. */
    List<Theme> published(int max) {
        return Tx.call(PUBLISHED).set("max", max).page(max, Themes::theme).rows();
    }

    private static Theme theme(Row row) throws SQLException {
        return new Theme(
                row.text("name"),
                row.number("is_public") == 1,
                row.instant("created_at"),
                new JsonText(row.text("body")));
    }
}
