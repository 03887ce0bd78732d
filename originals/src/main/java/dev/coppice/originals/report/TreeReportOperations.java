package dev.coppice.originals.report;

import dev.coppice.access.Need;
import dev.coppice.boot.Face;
import dev.coppice.boot.Ground;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Tables over many sessions. A caller that is confined to a session sees its tree only. */
public final class TreeReportOperations implements Face {
    private static final Duration PERIOD = Duration.ofDays(1);

    private final Scope scope;
    private final TreeReports reports = new TreeReports();
    private final InstantSource clock;

    public TreeReportOperations(Ground ground) {
        this.scope = ground.scope();
        this.clock = ground.clock();
    }

    @Override
    public List<Operation<?, ?>> operations() {
        return List.of(Operation.of(TreeReportCalls.READ, Need.READ, this::read));
    }

    private Outcome<TreeReportCalls.Table> read(Context x, TreeReportCalls.Ask in) {
        return scope.transactions()
                .read(() -> {
                    var named = scope.visible(x, "session_id", in.sessionId());
                    var top = named == null ? x.session() : named;
                    var from = in.from();
                    var until = in.until();
                    var question =
                            new TreeReports.Question(
                                    in.report(),
                                    top,
                                    from == null
                                            ? clock.instant().minus(PERIOD)
                                            : Instant.ofEpochMilli(from),
                                    Instant.ofEpochMilli(until == null ? Long.MAX_VALUE : until),
                                    depth(top) + in.maxDepth());
                    var page = reports.rows(question, Given.cursor(in.page()));
                    return Outcome.done(
                            new TreeReportCalls.Table(
                                    question.report().columns(),
                                    page.items().stream().map(Json::tree).toList(),
                                    page.next()));
                });
    }

    private int depth(@Nullable SessionId top) {
        if (top == null) return 0;
        return scope.sessions().find(top).map(s -> s.place().depth()).orElse(0);
    }
}
