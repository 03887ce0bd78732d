package dev.coppice.run;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.Limits;

import org.jspecify.annotations.Nullable;

/** What an agent tells of itself, written down as it said it. */
public final class ReportEvent {
    /** The one type that says more than it shows: it is the result of the run under way. */
    public static final String RESULT = "result";

    private final Desk desk;
    private final ReportRun reports;

    public ReportEvent(Desk desk) {
        this.desk = desk;
        this.reports = new ReportRun(desk);
    }

    /** Acts within the transaction under way; the caller has been let through to the session. */
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
