package dev.coppice.hooks;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.audit.Audit;
import dev.coppice.fleet.WatchProcesses;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.AnswerEvent;
import dev.coppice.observe.Observations;
import dev.coppice.observe.RecordObservations;
import dev.coppice.operations.Directories;
import dev.coppice.request.Reply;
import dev.coppice.session.Sessions;
import dev.coppice.usage.NoticedTranscript;
import dev.coppice.usage.RecordUse;
import dev.coppice.web.Exchange;
import dev.coppice.web.IdempotentRequests;
import dev.coppice.web.Problems;
import dev.coppice.web.Route;
import dev.coppice.wire.Shape;
import dev.coppice.wire.observe.HookCalls;

import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/** The routes by which programs report agents and get answers to their questions. */
public final class HookRoutes {
    private final Intake intake;
    private final Answers answers;
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
            IdempotentRequests idempotentRequests,
            Decisions decisions,
            InstantSource clock) {
        this.idempotentRequests = idempotentRequests;
        var listeners = new Listeners();
        this.intake =
                new Intake(
                        transactions,
                        record,
                        observations,
                        sessions,
                        decisions,
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

    public List<Route> routes() {
        return List.of(
                new Route(HookCalls.POST, Need.REPORT, intake::one),
                new Route(HookCalls.HOOK, Need.TELL, this::hook),
                new Route(HookCalls.BATCH, Need.REPORT, this::batch),
                new Route(HookCalls.RESPOND, Need.DECIDE, answers::respond));
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
}
