package dev.coppice.hooks;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.Observations;
import dev.coppice.observe.RecordObservations;
import dev.coppice.operation.Rejected;
import dev.coppice.operation.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.web.IdempotentRequests;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.observe.HookCalls;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The paths of the hook server. */
public final class HookRoutes {
    private final Transactions transactions;
    private final Observations observations;
    private final Intake intake;
    private final IdempotentRequests idempotentRequests;

    public HookRoutes(
            Transactions transactions,
            Observations observations,
            RecordObservations record,
            IdempotentRequests idempotentRequests,
            InstantSource clock) {
        this.transactions = transactions;
        this.observations = observations;
        this.idempotentRequests = idempotentRequests;
        this.intake = new Intake(transactions, record, clock);
    }

    public List<Route> routes() {
        return List.of(
                new Route(HookCalls.POST, Need.REPORT, intake::one),
                new Route(HookCalls.BATCH, Need.REPORT, this::batch),
                new Route(HookCalls.RECENT, Need.READ, this::recent),
                new Route(HookCalls.OPTIONS, Need.READ, this::options));
    }

    private Reply batch(Exchange x) {
        var done = idempotentRequests.perform(x, HookCalls.BATCH, () -> intake.many(x));
        return switch (done) {
            case Outcome.Done<HookCalls.Posted>(var posted) -> Reply.ok(posted);
            case Outcome.Refused<HookCalls.Posted>(var refusal) -> throw new Rejected(refusal);
        };
    }

    private Reply recent(Exchange x) {
        int max = max(x.query("limit"));
        var found = transactions.read(() -> observations.recent(x.caller().session(), max));
        var text = found.stream().map(SentText::of).collect(Collectors.joining(",", "[", "]"));
        return new Reply.Text(200, "application/json", text);
    }

    /** The original takes any number, and answers all events to a negative one. */
    private static int max(@org.jspecify.annotations.Nullable String limit) {
        if (limit == null) return HookCalls.OPTIONS_MAX;
        try {
            int asked = Integer.parseInt(limit);
            return asked < 0 ? HookCalls.RECENT_MAX : Math.min(asked, HookCalls.RECENT_MAX);
        } catch (NumberFormatException _) {
            throw new Rejected(
                    new RequestRefusal.BadValue(
                            "limit", limit, "a whole number up to " + HookCalls.RECENT_MAX));
        }
    }

    private Reply options(Exchange x) {
        var below = x.caller().session();
        if (below == null) {
            var all = transactions.read(() -> observations.options(HookCalls.OPTIONS_MAX));
            return Reply.ok(new HookCalls.Options(all.apps(), all.sessions(), all.types()));
        }
        // The indexes know no subtrees, so a confined caller gets the values of its newest events.
        var apps = new LinkedHashSet<String>();
        var sessions = new TreeSet<String>().descendingSet();
        var types = new LinkedHashSet<String>();
        for (var event :
                transactions.read(() -> observations.recent(below, HookCalls.RECENT_MAX))) {
            var body = Json.read(event.body().value());
            apps.add(body.path("source_app").asString());
            sessions.add(body.path("session_id").asString());
            types.add(body.path("hook_event_type").asString());
        }
        return Reply.ok(
                new HookCalls.Options(
                        List.copyOf(apps), List.copyOf(sessions), List.copyOf(types)));
    }
}
