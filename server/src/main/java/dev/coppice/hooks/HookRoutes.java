package dev.coppice.hooks;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.access.Validity;
import dev.coppice.audit.Audit;
import dev.coppice.fleet.WatchProcesses;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.Observations;
import dev.coppice.observe.RecordObservations;
import dev.coppice.operation.Rejected;
import dev.coppice.operation.Reply;
import dev.coppice.operations.Directories;
import dev.coppice.session.Sessions;
import dev.coppice.usage.NoticedTranscript;
import dev.coppice.usage.RecordUse;
import dev.coppice.web.Exchange;
import dev.coppice.web.IdempotentRequests;
import dev.coppice.web.Problems;
import dev.coppice.web.Route;
import dev.coppice.wire.Shape;
import dev.coppice.wire.observe.HookCalls;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The paths of the hook server. */
public final class HookRoutes {
    private final Parts parts;
    private final Transactions transactions;
    private final Observations observations;
    private final Intake intake;
    private final Answers answers;

    /** The collaborators of the routes. */
    public record Parts(
            Transactions transactions,
            Observations observations,
            RecordObservations record,
            NoticedTranscript transcript,
            RecordUse uses,
            Directories directories,
            WatchProcesses watchProcesses,
            Journal journal,
            Sessions sessions,
            Access access,
            Audit audit,
            Validity validity,
            Tail tail,
            Followers followers,
            IdempotentRequests idempotentRequests,
            Decisions.Parts decisions,
            Ids ids,
            InstantSource clock) {}

    public HookRoutes(Parts parts) {
        this.parts = parts;
        this.transactions = parts.transactions();
        this.observations = parts.observations();
        var listeners = new Listeners();
        this.intake = new Intake(parts, listeners);
        this.answers = new Answers(parts, listeners);
    }

    public List<Route> routes(PageStream pages) {
        var routes = new ArrayList<Route>();
        routes.add(new Route(HookCalls.POST, Need.REPORT, intake::one));
        routes.add(new Route(HookCalls.HOOK, Need.TELL, this::hook));
        routes.add(new Route(HookCalls.BATCH, Need.REPORT, this::batch));
        routes.add(new Route(HookCalls.RECENT, Need.READ, this::recent));
        routes.add(new Route(HookCalls.OPTIONS, Need.READ, this::options));
        routes.add(new Route(HookCalls.RESPOND, Need.DECIDE, answers::respond));
        routes.add(new Route(HookCalls.STREAM, Need.READ, x -> stream(x, pages)));
        return List.copyOf(routes);
    }

    private Reply stream(Exchange x, PageStream pages) {
        // A socket that is open can be refused without a word only.
        parts.followers().checkLimit(x.caller());
        var sources =
                new StreamTalk.Sources(
                        transactions,
                        observations,
                        parts.tail(),
                        parts.followers(),
                        parts.validity());
        return new Reply.Socket(new StreamTalk(sources, x.caller(), pages));
    }

    private Reply batch(Exchange x) {
        return switch (intake.many(x, parts.idempotentRequests())) {
            case Outcome.Done<HookCalls.Posted>(var posted) -> Reply.ok(posted);
            case Outcome.Refused<HookCalls.Posted>(var refusal) -> throw new Rejected(refusal);
        };
    }

    private Reply hook(Exchange x) {
        // The command line writes the names of programs with hyphens.
        var name = x.path("program").replace('-', '_');
        return Stream.of(HookCalls.Program.values())
                .filter(program -> Shape.word(program).equals(name))
                .findFirst()
                .map(program -> intake.hook(x, program))
                .orElseGet(() -> Problems.nothingAt(x.request().path()));
    }

    private Reply recent(Exchange x) {
        int max = max(x.query("limit"));
        var found = transactions.read(() -> observations.recent(x.caller().session(), max));
        var text = found.stream().map(SentText::of).collect(Collectors.joining(",", "[", "]"));
        return new Reply.Text(200, "application/json", text);
    }

    /** The original takes any number, and answers all events to a negative one. */
    private static int max(@Nullable String limit) {
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
        var all = transactions.read(() -> observations.options(below, HookCalls.OPTIONS_MAX));
        return Reply.ok(new HookCalls.Options(all.apps(), all.sessions(), all.types()));
    }
}
