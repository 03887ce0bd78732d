package dev.coppice.store.run;

import dev.coppice.fleet.AccountHold;
import dev.coppice.fleet.AccountHolds;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Stores accounts that have reached their limits. */
public final class SqlAccountHolds implements AccountHolds {
    private static final Sql FIND = Sql.of("select * from account_hold where account = :account");
    private static final Sql ALL = Sql.of("select * from account_hold order by account");
    private static final Sql SAVE = Tables.upsert("account_hold", "account");
    private static final Sql REMOVE = Sql.of("delete from account_hold where account = :account");

    @Override
    public Optional<AccountHold> find(String account) {
        return Tx.call(FIND).set("account", account).first(SqlAccountHolds::hold);
    }

    @Override
    public void save(AccountHold hold) {
        Tx.call(SAVE)
                .set("account", hold.account())
                .set("until_at", hold.until())
                .set("failures", (long) hold.failures())
                .set("reason", hold.reason())
                .update();
    }

    @Override
    public void remove(String account) {
        Tx.call(REMOVE).set("account", account).update();
    }

    @Override
    public List<AccountHold> all() {
        return Tx.call(ALL).list(SqlAccountHolds::hold);
    }

    private static AccountHold hold(Row row) throws SQLException {
        return new AccountHold(
                row.text("account"),
                row.instant("until_at"),
                row.integer("failures"),
                row.text("reason"));
    }
}
