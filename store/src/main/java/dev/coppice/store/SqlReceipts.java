package dev.coppice.store;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Receipts;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;

import java.time.Instant;
import java.util.Optional;

/** Stores receipts. */
final class SqlReceipts implements Receipts {
    private static final Sql FIND =
            Sql.of("select * from receipt where caller = :caller and key = :key");
    private static final Sql ADD = Tables.insert("receipt");
    private static final Sql FORGET =
            Sql.of(
                    """
                    delete from receipt where (caller, key) in (
                        select caller, key from receipt where at <= :moment order by at limit :max)
                    """);

    @Override
    public Optional<Receipt> find(String caller, String key) {
        return Tx.call(FIND)
                .set("caller", caller)
                .set("key", key)
                .first(row ->
                        new Receipt(
                                row.text("caller"),
                                row.text("key"),
                                row.text("digest"),
                                row.integer("status"),
                                new JsonText(row.text("body")),
                                row.instant("at")));
    }

    @Override
    public void add(Receipt receipt) {
        Tx.call(ADD)
                .set("caller", receipt.caller())
                .set("key", receipt.key())
                .set("digest", receipt.digest())
                .set("status", receipt.status())
                .set("body", receipt.body().value())
                .set("at", receipt.at())
                .update();
    }

    @Override
    public int forgetUntil(Instant moment, int max) {
        return Tx.call(FORGET).set("moment", moment).set("max", max).update();
    }
}
