package dev.coppice.store;

import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.audit.AuditChain;
import dev.coppice.audit.AuditRecord;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;

/** Stores the audit. The schema refuses to change or delete a record. */
final class SqlAudit implements Audit {
    private static final Sql LAST = Sql.of("select * from audit order by number desc limit 1");
    private static final Sql APPEND = Tables.insert("audit");
    private static final Sql AFTER =
            Sql.of("select * from audit where number > :number order by number limit :max");

    /**
     * The records about the session itself, and those of other sessions' removals that covered it.
     * Each part uses its own index.
     */
    private static final String ABOUT =
            """
            select * from (
                select * from (
                    select * from audit where session_id = :session and number %1$s :number
                    order by number %2$s limit :max) own
                union
                select * from (
                    select a.* from removal_member m join removal r on r.key = m.removal
                    join audit a on a.session_id = r.top_id and a.removal_id = r.id
                    where m.session_id = :session and a.number %1$s :number
                    order by a.number %2$s limit :max) along
            ) about order by number %2$s limit :max
            """;

    private static final Sql AFTER_OF = Sql.of(ABOUT.formatted(">", ""));
    private static final Sql BEFORE =
            Sql.of("select * from audit where number < :number order by number desc limit :max");
    private static final Sql BEFORE_OF = Sql.of(ABOUT.formatted("<", "desc"));

    @Override
    public AuditRecord append(Act act) {
        var record = AuditChain.next(last(), act);
        Tx.call(APPEND)
                .set("number", record.number())
                .set("at", act.at())
                .set("who", act.who().name())
                .set("who_right", act.who().right())
                .set("act", act.what().act())
                .set("session_id", act.what().session())
                .set("session_name", act.what().sessionName())
                .set("removal_id", act.what().removal())
                .set("detail", act.what().detail())
                .set("allowed", act.decision().allowed() ? 1 : 0)
                .set("reason", act.decision().reason())
                .set("before_digest", act.before())
                .set("after_digest", act.after())
                .set("previous", record.previous())
                .set("hash", record.hash())
                .update();
        return record;
    }

    private static @Nullable AuditRecord last() {
        return Tx.call(LAST).first(SqlAudit::record).orElse(null);
    }

    @Override
    public List<AuditRecord> after(long number, @Nullable SessionId session, int max) {
        return read(session == null ? AFTER : AFTER_OF, number, session, max)
                .list(SqlAudit::record);
    }

    @Override
    public Slice<AuditRecord> list(@Nullable SessionId session, Cursor cursor) {
        long before = cursor.after() == null ? Long.MAX_VALUE : Keyset.number(cursor.after());
        int max = cursor.max() + 1;
        var found =
                read(session == null ? BEFORE : BEFORE_OF, before, session, max)
                        .page(max, row -> new Keyed(record(row)));
        return Keyset.slice(found, cursor.max(), k -> Long.toString(k.value().number()));
    }

    private record Keyed(AuditRecord value) implements Keyset.Item<AuditRecord> {}

    private static Call read(Sql sql, long number, @Nullable SessionId session, int max) {
        var call = Tx.call(sql).set("number", number).set("max", max);
        if (session != null) call.set("session", session.value());
        return call;
    }

    @Override
    public String head() {
        var last = last();
        return last == null ? AuditChain.BEGINNING : last.hash();
    }

    private static AuditRecord record(Row row) throws SQLException {
        var act =
                new Act(
                        row.instant("at"),
                        new Act.Who(row.text("who"), row.text("who_right")),
                        new Act.What(
                                row.text("act"),
                                row.textOrNull("session_id"),
                                row.textOrNull("session_name"),
                                row.textOrNull("removal_id"),
                                row.textOrNull("detail")),
                        new Act.Decision(row.number("allowed") == 1, row.textOrNull("reason")),
                        row.textOrNull("before_digest"),
                        row.textOrNull("after_digest"));
        return new AuditRecord(row.number("number"), act, row.text("previous"), row.text("hash"));
    }
}
