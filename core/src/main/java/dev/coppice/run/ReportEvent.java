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

    private final Ports ports;
    private final ReportRun reports;

    public ReportEvent(Ports ports) {
        this.ports = ports;
        this.reports = new ReportRun(ports);
    }

    /** Joins the current transaction. The caller has already checked access to the session. */
    public Outcome<SessionId> report(
            SessionId session, String type, JsonText body, @Nullable Result result) {
        var full =
                ports.room()
                        .forbids(session, Limits.Kind.EVENT_BYTES, Bounds.bytesOf(body.value()));
        if (full.isPresent()) return Outcome.refused(full.get());
        var live = ports.runs().liveOf(session);
        if (result != null) live.ifPresent(run -> reports.brought(run, result));
        ports.journal()
                .append(
                        session,
                        live.map(Run::id).orElse(null),
                        new Fact.Reported(type, body),
                        ports.clock().instant());
        return Outcome.done(session);
    }
}
