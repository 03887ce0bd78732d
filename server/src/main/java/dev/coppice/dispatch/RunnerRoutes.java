package dev.coppice.dispatch;

import dev.coppice.access.Need;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.fleet.RenewLeases;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.Runs;
import dev.coppice.view.WorkViews;
import dev.coppice.web.Bell;
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Heartbeat;
import dev.coppice.wire.Json;
import dev.coppice.wire.RegisterRequest;
import dev.coppice.wire.RegisteredView;
import dev.coppice.wire.StopOrder;
import dev.coppice.work.DoErrands;
import dev.coppice.work.Errand;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How a runner comes onto the list, asks for work, and shows that it is alive. */
public final class RunnerRoutes {
    private static final Duration POLL = Duration.ofSeconds(30);

    /** A program that stays after its session has run out of time is told so for this long. */
    private static final Duration TOLD_FOR = Duration.ofSeconds(60);

    /** Between two looks when no bell rings; another coordinator may have queued a run. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final Fleet fleet;
    private final Handover handover;
    private final Bell bell;
    private final InstantSource clock;
    private final StopsTold told;
    private final Turns turns = new Turns();

    /** The commands and ports of the fleet. */
    public record Fleet(
            Transactions transactions,
            Runners runners,
            Runs runs,
            RegisterRunner register,
            ClaimRun claim,
            RenewLeases renew,
            DoErrands errands) {}

    public RunnerRoutes(Fleet fleet, Handover handover, Bell bell, InstantSource clock) {
        this.fleet = fleet;
        this.handover = handover;
        this.bell = bell;
        this.clock = clock;
        this.told = new StopsTold(clock);
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/runner/register", Need.RUN, "Register a runner", this::register)
                        .takes(RegisterRequest.class)
                        .gives(RegisteredView.class),
                Route.get(
                                "/runner/runs",
                                Need.RUN,
                                "Ask for work; waits until there is some",
                                this::poll)
                        .with(new Route.Query("runner_id", "the runner that asks")),
                Route.post(
                                "/runner/heartbeat",
                                Need.RUN,
                                "Show that the runner lives, and renew its leases",
                                this::heartbeat)
                        .takes(Heartbeat.class)
                        .gives(Heartbeat.Answer.class));
    }

    private Reply register(Exchange x) {
        var body = x.body(RegisterRequest.class);
        if (body.agents() != null && body.agents().isArray() && !body.agents().isEmpty()) {
            return Problems.reply(
                    new RequestRefusal.NotOffered("Registering a runner's own agents"));
        }
        var runner = Newcomer.read(body, clock.instant());
        var holds = new HashSet<RunId>();
        if (body.holds() != null) body.holds().forEach(id -> holds.add(new RunId(id)));
        var outcome =
                switch (runner.protocol()) {
                    case FENCED -> fleet.register().register(runner, holds);
                    case ORIGINAL -> fleet.register().registerOriginal(runner);
                };
        turns.next(runner.id());
        return x.reply(outcome, this::registered);
    }

    private Reply registered(Runner runner) {
        int beat = runner.protocol() == Runner.Protocol.FENCED ? 5 : 60;
        return Reply.ok(
                new RegisteredView(
                        runner.id().value(),
                        "/runner/runs",
                        (int) POLL.toSeconds(),
                        beat,
                        handover.leaseSeconds(),
                        runner.skills().capacity()));
    }

    private Reply heartbeat(Exchange x) {
        var body = x.body(Heartbeat.class);
        var held = new HashMap<RunId, RenewLeases.Held>();
        for (var run : body.runs() == null ? List.<Heartbeat.Held>of() : body.runs()) {
            boolean heard = Boolean.TRUE.equals(run.heard());
            long printed = run.outputBytes() == null ? 0 : run.outputBytes();
            held.put(new RunId(run.runId()), new RenewLeases.Held(run.fence(), heard, printed));
        }
        var id = new RunnerId(String.valueOf(body.runnerId()));
        return x.reply(
                fleet.renew().renew(id, Map.copyOf(held)),
                answer ->
                        Reply.ok(
                                new Heartbeat.Answer(
                                        true,
                                        answer.lost().stream().map(RunId::value).toList(),
                                        answer.stopping().stream().map(this::order).toList(),
                                        answer.frozen().stream().map(RunId::value).toList(),
                                        answer.overfull().stream().map(RunId::value).toList())));
    }

    private StopOrder order(Run run) {
        var left =
                run.state() instanceof RunState.Stopping(_, _, var deadline)
                        ? Duration.between(clock.instant(), deadline)
                        : Duration.ZERO;
        return new StopOrder(run.id().value(), run.session().value(), Math.max(0, left.toMillis()));
    }

    /** A stop goes before new work, and either wakes the wait at once. */
    private Reply poll(Exchange x) {
        var id = new RunnerId(String.valueOf(x.query("runner_id")));
        var until = clock.instant().plus(POLL);
        long turn = turns.next(id);
        fleet.claim().takeBack(id);
        try (var ear =
                        bell.ear(
                                new Topic.WorkWaits(),
                                new Topic.ErrandWaits(),
                                new Topic.StopWanted(id),
                                new Topic.FreezeWanted(id));
                var freezes = bell.ear(new Topic.FreezeWanted(id))) {
            while (bell.isOpen() && turns.isLatest(id, turn)) {
                var stops = told.untold(stopping(id));
                if (!stops.isEmpty()) return stops(stops);
                var errands = errands(id);
                if (!errands.isEmpty()) return errands(errands);
                switch (fleet.claim().claim(id)) {
                    case Outcome.Refused<java.util.Optional<ClaimRun.Claim>>(var refusal) -> {
                        return Problems.reply(refusal);
                    }
                    case Outcome.Done<java.util.Optional<ClaimRun.Claim>>(var claim) -> {
                        if (claim.isPresent()) return run(claim.get());
                    }
                }
                if (freezes.heard(Duration.ZERO)) return Reply.ok(Json.object().put("renew", true));
                var left = Duration.between(clock.instant(), until);
                if (left.isNegative() || left.isZero()) return new Reply.Nothing(204);
                ear.heard(left.compareTo(LOOK) < 0 ? left : LOOK);
            }
            return new Reply.Nothing(204);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Nothing(204);
        }
    }

    private List<Run> stopping(RunnerId id) {
        return fleet.transactions()
                .read(() -> {
                    var held = fleet.runs().heldBy(id).stream();
                    var stopping = held.filter(run -> run.state() instanceof RunState.Stopping);
                    var between = fleet.runs().lastWith(id, "stopping", Instant.EPOCH).stream();
                    var since = clock.instant().minus(TOLD_FOR);
                    var late = fleet.runs().lastWith(id, "timed_out", since).stream();
                    return Stream.of(stopping, between, late).flatMap(s -> s).toList();
                });
    }

    private Reply stops(List<Run> runs) {
        var body = Json.object();
        body.set("stop_sessions", Json.tree(runs.stream().map(r -> r.session().value()).toList()));
        body.set("stops", Json.tree(runs.stream().map(this::order).toList()));
        return Reply.ok(body);
    }

    /** The original's runners know none. */
    private List<Errand> errands(RunnerId id) {
        var runner = fleet.transactions().read(() -> fleet.runners().find(id));
        return runner.filter(r -> r.protocol() == Runner.Protocol.FENCED)
                .map(r -> fleet.errands().take(r.post().hostname(), id))
                .orElse(List.of());
    }

    private static Reply errands(List<Errand> errands) {
        var body = Json.object();
        body.set("errands", Json.tree(errands.stream().map(WorkViews::order).toList()));
        return Reply.ok(body);
    }

    private Reply run(ClaimRun.Claim claim) {
        var body = Json.object();
        body.set("run", Json.tree(handover.claimed(claim)));
        return Reply.ok(body);
    }
}
