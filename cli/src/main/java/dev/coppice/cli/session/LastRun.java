package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Shown;
import dev.coppice.wire.Paging;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunView;
import dev.coppice.wire.session.SessionView;

import java.util.Optional;

/** Finds the last run of a session. */
public final class LastRun {
    private LastRun() {}

    public static Optional<RunView> ifAny(Connection connection, SessionView session) {
        var find = new RunCalls.Find(null, session.sessionId(), null, new Paging(null, 1));
        return connection.call(RunCalls.LIST, find).runs().stream().findFirst();
    }

    public static RunView of(Connection connection, SessionView session) {
        return ifAny(connection, session)
                .orElseThrow(() ->
                        new Args.Invalid(
                                "the session '%s' has no run"
                                        .formatted(Shown.clean(session.sessionName()))));
    }
}
