package dev.coppice.store.schema;

import dev.coppice.store.engine.SqlDialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The extra indexes of a database. Each change is one transaction. */
record ExtraIndexes(Connection connection, SqlDialect dialect, Migrations migrations) {
    private static final String COPY =
            """
            update event set COLUMN = (
                select s.COLUMN from any_session s where s.key = event.session)
            where session is not null
            """;
    private static final String FORGET = "update event set COLUMN = null where COLUMN is not null";

    Set<ExtraIndex> present() throws SQLException {
        var names = new HashSet<String>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(dialect.indexesOnEvents())) {
            while (rows.next()) names.add(rows.getString(1));
        }
        var present = EnumSet.noneOf(ExtraIndex.class);
        for (var index : ExtraIndex.values()) {
            if (names.contains(index.index())) present.add(index);
        }
        return present;
    }

    void add(ExtraIndex index) throws SQLException {
        var present = present();
        if (!present.add(index)) return;
        var script = new ArrayList<String>();
        var copied = index.copied();
        if (copied != null) {
            script.add(COPY.replace("COLUMN", copied));
            script.addAll(dialect.follow(copied));
        }
        script.add(index.creation());
        script.addAll(view(present));
        Migrations.inTransaction(connection, script);
    }

    void drop(ExtraIndex index) throws SQLException {
        var present = present();
        if (!present.remove(index)) return;
        var script = new ArrayList<>(view(present));
        script.add("drop index " + index.index());
        var copied = index.copied();
        if (copied != null) {
            script.addAll(dialect.unfollow(copied));
            script.add(FORGET.replace("COLUMN", copied));
        }
        Migrations.inTransaction(connection, script);
    }

    private List<String> view(Set<ExtraIndex> present) {
        var view = migrations.view(connection, "events");
        for (var index : present) view = index.showing(view);
        return List.of("drop view events", view);
    }
}
