package dev.coppice.store.schema;

import dev.coppice.store.engine.StoreFailed;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The disk space that the parts of a database take. */
public record Space(
        long bytes, long freeBytes, List<Part> tables, List<Part> trees, List<Part> types) {
    private static final int SHOWN_MAX = 10;

    /** The extension dbstat lists pages by table and index. The full-text index has tables, too. */
    private static final String SQLITE_TABLES =
            """
            select case when coalesce(m.tbl_name, d.name) like 'event_text_%%' then 'event_text'
                else coalesce(m.tbl_name, d.name) end as what, sum(d.pgsize) as bytes
            from dbstat d left join sqlite_master m on m.name = d.name
            group by 1 order by 2 desc, 1 limit %d
            """
                    .formatted(SHOWN_MAX);

    private static final String SQLITE_BYTES =
            """
            select p.page_count * s.page_size, f.freelist_count * s.page_size
            from pragma_page_count p, pragma_page_size s, pragma_freelist_count f
            """;
    private static final String POSTGRES_TABLES =
            """
            select c.relname as what, pg_total_relation_size(c.oid) as bytes from pg_class c
            where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
            order by 2 desc, 1 limit %d
            """
                    .formatted(SHOWN_MAX);
    private static final String POSTGRES_BYTES = "select pg_database_size(current_database()), 0";
    private static final String TREES =
            """
            select coalesce(s.name, 'tree ' || b.tree) as what, b.events + b.metadata as bytes,
                s.id as session
            from tree_bytes b left join any_session s on s.key = b.tree
            order by 2 desc, 1 limit %d
            """
                    .formatted(SHOWN_MAX);
    private static final String TYPES =
            """
            select case when substr(type, 1, 1) = '*' then substr(type, 2) else type end as what,
                sum(length(body)) as bytes
            from event group by type order by 2 desc, 1 limit %d
            """
                    .formatted(SHOWN_MAX);

    public Space {
        tables = List.copyOf(tables);
        trees = List.copyOf(trees);
        types = List.copyOf(types);
    }

    /** A part, and the bytes that it takes; a tree has the id of its root. */
    public record Part(String name, Optional<String> session, long bytes) {}

    static Space sqlite(Connection connection) {
        return measured(connection, SQLITE_BYTES, SQLITE_TABLES);
    }

    static Space postgres(Connection connection) {
        return measured(connection, POSTGRES_BYTES, POSTGRES_TABLES);
    }

    private static Space measured(Connection connection, String whole, String tables) {
        try (var statement = connection.createStatement()) {
            long bytes;
            long free;
            try (var rows = statement.executeQuery(whole)) {
                rows.next();
                bytes = rows.getLong(1);
                free = rows.getLong(2);
            }
            return new Space(
                    bytes,
                    free,
                    parts(connection, tables),
                    parts(connection, TREES),
                    parts(connection, TYPES));
        } catch (SQLException e) {
            throw new StoreFailed("measuring the database", e);
        }
    }

    private static List<Part> parts(Connection connection, String query) throws SQLException {
        var parts = new ArrayList<Part>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            boolean areTrees = rows.getMetaData().getColumnCount() > 2;
            while (rows.next()) {
                var session = areTrees ? rows.getString("session") : null;
                parts.add(
                        new Part(
                                rows.getString("what"),
                                Optional.ofNullable(session),
                                rows.getLong("bytes")));
            }
        }
        return parts;
    }
}
