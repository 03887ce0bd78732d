package dev.coppice.run;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.Limits;

import org.jspecify.annotations.Nullable;

/** Records the events that an agent reports about itself, unchanged. */
public final class ReportEvent {
    /** The one event type with an effect: it sets the result of the live run. */
    public static final String RESULT = "result";

    private final Desk desk;
    private final ReportRun reports;

    public ReportEvent(Desk desk) {
        this.desk = desk;
        this.reports = new ReportRun(desk);
    }

    /** Joins the current transaction. The caller has already checked access to the session. */
    public Outcome<SessionId> report(
            SessionId session, String type, JsonText body, @Nullable Result result) {
        var full =
                desk.room().forbids(session, Limits.Kind.EVENT_BYTES, Bounds.bytesOf(body.value()));
        if (full.isPresent()) return Outcome.refused(full.get());
        var live = desk.runs().liveOf(session);
        if (result != null) live.ifPresent(run -> reports.brought(run, result));
        desk.journal()
                .append(
                        session,
                        live.map(Run::id).orElse(null),
                        new Fact.Reported(type, body),
                        desk.clock().instant());
        return Outcome.done(session);
    }
}
