package dev.coppice.store;

import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Exports;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import java.util.Optional;

/** Remembers what was exported, and finds the calls that started agents. */
public final class SqlExports implements Exports {
    private static final Sql NUMBER = Sql.of("select number from event_exported");
    private static final Sql MOVE =
            Sql.of("update event_exported set number = :to where number = :from");
    private static final Sql CALL =
            Sql.of(
                    """
                    select c.call from any_session s join spawn_call c on c.session = s.key
                    where s.id = :main and c.agent = :agent limit 1
                    """);

    @Override
    public long number() {
        return Tx.call(NUMBER).number();
    }

    @Override
    public boolean move(long from, long to) {
        return Tx.call(MOVE).set("from", from).set("to", to).update() > 0;
    }

    @Override
    public Optional<String> call(SessionId agent) {
        return agent.program()
                .flatMap(main ->
                        Tx.call(CALL)
                                .set("main", main.value())
                                .set("agent", agent.value())
                                .first(row -> row.text("call")));
    }
}
