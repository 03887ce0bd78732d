package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.journal.Entry;
import dev.coppice.journal.EventIndex;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.request.Context;
import dev.coppice.request.Inputs;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.run.ReportEvent;
import dev.coppice.run.Result;
import dev.coppice.session.Session;
import dev.coppice.view.Events;
import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.event.EventCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Optional;

/** The history of a session: the events that it reported, and those of its runs. */
public final class EventOperations {
    private final Scope scope;
    private final Journal journal;
    private final ReportEvent report;
    private final FindEvents finding;

    public EventOperations(Scope scope, Journal journal, EventIndex index, ReportEvent report) {
        this.scope = scope;
        this.journal = journal;
        this.report = report;
        this.finding = new FindEvents(scope, journal, index);
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(
                        EventCalls.LIST,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), s -> page(s, in))),
                Operation.of(EventCalls.FIND, Need.READ, finding::find),
                Operation.changing(
                        EventCalls.REPORT, Need.REPORT, scope.transactions(), this::report));
    }

    /**
     * Returns the newest events if there is no cursor: the oldest of a long session say nothing
     * about its present activity.
     */
    private EventCalls.Page page(Session session, EventCalls.Find in) {
        var within =
                in.tree() ? new Journal.Scope(null, session.id()) : Journal.Scope.of(session.id());
        boolean onward = in.after() != null;
        long before = in.before() == null ? Long.MAX_VALUE : in.before();
        var found =
                in.after() == null
                        ? journal.before(before, within, in.limit())
                        : journal.after(in.after(), within, in.limit());
        var rows = found.stream().map(Events::row).flatMap(Optional::stream).toList();
        boolean more = !found.isEmpty() && isMore(within, found, onward, in.limit());
        return new EventCalls.Page(
                rows,
                more && onward ? Long.toString(found.getLast().number()) : null,
                more && !onward ? Long.toString(found.getFirst().number()) : null,
                !more && !onward && !in.tree() && isCut(found));
    }

    /** The kept events of a session begin with its creation, unless retention deleted that. */
    private static boolean isCut(List<Entry> fromTheFirst) {
        return !fromTheFirst.isEmpty()
                && !(fromTheFirst.getFirst().fact() instanceof Fact.SessionCreated);
    }

    /** A page of large events may be shorter than requested although more events follow. */
    private boolean isMore(Journal.Scope within, List<Entry> found, boolean onward, int max) {
        if (found.size() == max) return true;
        var beyond =
                onward
                        ? journal.after(found.getLast().number(), within, 1)
                        : journal.before(found.getFirst().number(), within, 1);
        return !beyond.isEmpty();
    }

    /** The fields of a reported event that Coppice reads; the others are stored unchanged. */
    private record Reported(
            @Field(value = "its type", chars = Sizes.LABEL_CHARS_MAX) String eventType,
            @Field("its session") @Nullable String sessionId,
            @Field("a result as text") @Nullable String resultText,
            @Field("a result as data") @Nullable JsonNode resultData) {}

    private Outcome<Commit<EventCalls.Done>> report(Context x, EventCalls.Report in) {
        var event = Inputs.read(Reported.class, part -> in.event().get(part.name()));
        var body = new JsonText(in.event().toString());
        var size = Bounds.bytesOf(body.value());
        if (size > Bounds.EVENT_BYTES_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooLarge("event", size, Bounds.EVENT_BYTES_MAX));
        }
        if (event.sessionId() != null && !event.sessionId().equals(in.sessionId())) {
            throw Given.bad("session_id", event.sessionId(), "the session in the path");
        }
        // An ingest token may appear in pages and logs, so a result from it is not trusted.
        if (x.caller().role() == Role.INGEST && event.eventType().equals(ReportEvent.RESULT)) {
            return Outcome.refused(
                    new RequestRefusal.NotAllowed("report a result for the role 'ingest'"));
        }
        var data = event.resultData();
        var result =
                event.eventType().equals(ReportEvent.RESULT)
                        ? new Result(
                                event.resultText(),
                                data == null ? null : new JsonText(data.toString()))
                        : null;
        return scope.change(
                x,
                Need.REPORT,
                in.sessionId(),
                s ->
                        report.report(s.id(), event.eventType(), body, result)
                                .map(_ -> EventCalls.Done.OK));
    }
}
