package dev.coppice.store.session;

import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedToken.Origin;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.Role;
import dev.coppice.access.TokenId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stores issued tokens. */
public final class SqlIssuedTokens implements IssuedTokens {
    private static final String COLUMNS =
            """
            select t.*, s.id as session_id from token t left join any_session s on s.key = t.session
            """;
    private static final Sql INSERT = Tables.insert("token");
    private static final Sql FIND =
            Sql.of(
                    COLUMNS
                            + """
                            where t.id = :id and (t.session is null
                                or exists (select 1 from session v where v.key = t.session))
                            """);
    private static final Sql ALL = Sql.of(COLUMNS + "order by t.made_at, t.id");
    // The schema also removes the tokens that were made with it.
    private static final Sql REMOVE = Sql.of("delete from token where id = :id");
    private static final Sql BIND = Sql.of("update token set runner = :runner where id = :id");
    private static final Sql REMOVE_EXPIRED = Sql.of("delete from token where until_at <= :now");

    @Override
    public void add(IssuedToken token) {
        var below = token.below();
        var maker = token.maker();
        Tx.call(INSERT)
                .set("id", token.id().value())
                .set("role", token.role())
                .setNumber("session", below == null ? null : Keys.of(below).key())
                .set("label", token.label())
                .set("made_at", token.madeAt())
                .set("until_at", token.until())
                .set("maker", maker == null ? null : maker.value())
                .set("source", token.source())
                .set("origin", token.origin())
                .set("runner", token.runner() == null ? null : token.runner().value())
                .update();
    }

    @Override
    public Optional<IssuedToken> find(TokenId id) {
        return Tx.call(FIND).set("id", id.value()).first(SqlIssuedTokens::token);
    }

    @Override
    public List<IssuedToken> all() {
        return Tx.call(ALL).list(SqlIssuedTokens::token);
    }

    @Override
    public boolean remove(TokenId id) {
        return Tx.call(REMOVE).set("id", id.value()).update() > 0;
    }

    @Override
    public void removeExpired(Instant now) {
        Tx.call(REMOVE_EXPIRED).set("now", now).update();
    }

    @Override
    public void bind(TokenId id, RunnerId runner) {
        Tx.call(BIND).set("id", id.value()).set("runner", runner.value()).update();
    }

    private static IssuedToken token(Row row) throws SQLException {
        var session = row.textOrNull("session_id");
        var maker = row.textOrNull("maker");
        var runner = row.textOrNull("runner");
        return new IssuedToken(
                new TokenId(row.text("id")),
                row.constant(Role.class, "role"),
                session == null ? null : new SessionId(session),
                row.textOrNull("label"),
                row.instant("made_at"),
                row.instantOrNull("until_at"),
                maker == null ? null : new TokenId(maker),
                row.constant(Origin.class, "origin"),
                row.textOrNull("source"),
                runner == null ? null : new RunnerId(runner));
    }
}
