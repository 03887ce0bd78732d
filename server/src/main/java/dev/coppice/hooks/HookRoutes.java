package dev.coppice.hooks;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.access.Validity;
import dev.coppice.audit.Audit;
import dev.coppice.fleet.WatchProcesses;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.AnswerEvent;
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
    private final Transactions transactions;
    private final Observations observations;
    private final Intake intake;
    private final Answers answers;
    private final StreamTalk.Sources sources;
    private final IdempotentRequests idempotentRequests;

    public HookRoutes(
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
            InstantSource clock) {
        this.transactions = transactions;
        this.observations = observations;
        this.sources =
                new StreamTalk.Sources(transactions, observations, tail, followers, validity);
        this.idempotentRequests = idempotentRequests;
        var listeners = new Listeners();
        this.intake =
                new Intake(
                        transactions,
                        record,
                        observations,
                        sessions,
                        new Decisions(decisions),
                        transcript,
                        new Whereabouts(transactions, directories, watchProcesses),
                        uses,
                        clock,
                        listeners,
                        access);
        this.answers =
                new Answers(
                        transactions,
                        new AnswerEvent(observations, journal, clock),
                        access,
                        audit,
                        listeners);
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
        sources.followers().checkLimit(x.caller());
        return new Reply.Socket(new StreamTalk(sources, x.caller(), pages));
    }

    private Reply batch(Exchange x) {
        return switch (intake.many(x, idempotentRequests)) {
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
