package dev.coppice.store.run;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.outside.OutsideProcess.Consent;
import dev.coppice.outside.OutsideProcesses;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Stores the processes of programs that Coppice did not start. */
public final class SqlOutsideProcesses implements OutsideProcesses {
    private static final String COLUMNS =
            "select s.id, a.* from outside_process a cross join session s where s.key = a.session ";
    private static final Sql OF = Sql.of(COLUMNS + "and s.id = :session");
    private static final Sql WITH = Sql.of(COLUMNS + "and a.host = :host and a.pid = :pid");
    private static final Sql ON = Sql.of(COLUMNS + "and a.host = :host order by a.key limit :max");
    private static final Keyset.Newest LIST = Keyset.Newest.of(COLUMNS);
    private static final Sql COUNT =
            Sql.of("select count(*) from outside_process where host = :host");
    private static final Sql FREE =
            Sql.of(
                    """
                    delete from outside_process where host = :host and pid = :pid
                    and session <> (select s.key from session s where s.id = :session)
                    """);
    private static final Sql SAVE =
            Sql.of(
                    """
                    insert into outside_process
                        (session, host, pid, start, program, consent, end_by)
                    select s.key, :host, :pid, :start, :program, :consent, :end_by
                    from session s where s.id = :session
                    on conflict (session) do update set
                        host = excluded.host, pid = excluded.pid,
                        start = excluded.start, program = excluded.program,
                        consent = excluded.consent, end_by = excluded.end_by
                    """);
    private static final Sql DELETE =
            Sql.of(
                    """
                    delete from outside_process
                    where session = (select s.key from session s where s.id = :session)
                    """);

    @Override
    public void save(OutsideProcess process) {
        Tx.call(FREE)
                .set("host", process.host())
                .set("pid", process.pid())
                .set("session", process.session().value())
                .update();
        Tx.call(SAVE)
                .set("session", process.session().value())
                .set("host", process.host())
                .set("pid", process.pid())
                .set("start", process.start())
                .set("program", process.program())
                .set("consent", process.consent())
                .set("end_by", process.endBy())
                .update();
    }

    @Override
    public Optional<OutsideProcess> of(SessionId session) {
        return Tx.call(OF).set("session", session.value()).first(SqlOutsideProcesses::process);
    }

    @Override
    public Optional<OutsideProcess> with(String host, long pid) {
        return Tx.call(WITH).set("host", host).set("pid", pid).first(SqlOutsideProcesses::process);
    }

    @Override
    public Slice<OutsideProcess> list(@Nullable SessionId within, Cursor cursor) {
        return Keyset.newestFirst(LIST, within, cursor, SqlOutsideProcesses::process);
    }

    @Override
    public List<OutsideProcess> on(String host, int max) {
        return Tx.call(ON).set("host", host).set("max", max).list(SqlOutsideProcesses::process);
    }

    @Override
    public long count(String host) {
        return Tx.call(COUNT).set("host", host).number();
    }

    @Override
    public void delete(SessionId session) {
        Tx.call(DELETE).set("session", session.value()).update();
    }

    private static OutsideProcess process(Row row) throws SQLException {
        return new OutsideProcess(
                new SessionId(row.text("id")),
                row.text("host"),
                row.number("pid"),
                row.textOrNull("start"),
                row.text("program"),
                row.constant(Consent.class, "consent"),
                row.instantOrNull("end_by"));
    }
}
