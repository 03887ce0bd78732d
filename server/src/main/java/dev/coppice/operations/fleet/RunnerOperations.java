package dev.coppice.operations.fleet;

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
import dev.coppice.operation.Operation;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.Runs;
import dev.coppice.view.WorkViews;
import dev.coppice.web.Bell;
import dev.coppice.wire.fleet.Heartbeat;
import dev.coppice.wire.fleet.RegisterRequest;
import dev.coppice.wire.fleet.RegisteredView;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.fleet.RunnerCalls.Polled;
import dev.coppice.wire.fleet.StopOrder;
import dev.coppice.work.DoErrands;
import dev.coppice.work.Errand;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How a runner comes onto the list, asks for work, and shows that it is alive. */
public final class RunnerOperations {
    private static final Duration POLL = Duration.ofSeconds(30);

    /** A program that stays after its session has run out of time is told so for this long. */
    private static final Duration TOLD_FOR = Duration.ofSeconds(60);

    /** Between two looks when no bell rings; another coordinator may have queued a run. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    /** Has the runner send a heartbeat, whose answer says what is frozen. */
    private static final Polled RENEW = new Polled(null, null, null, null, true);

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

    public RunnerOperations(Fleet fleet, Handover handover, Bell bell, InstantSource clock) {
        this.fleet = fleet;
        this.handover = handover;
        this.bell = bell;
        this.clock = clock;
        this.told = new StopsTold(clock);
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(RunnerCalls.REGISTER, Need.RUN, (_, in) -> register(in)),
                Operation.of(RunnerCalls.POLL, Need.RUN, (_, in) -> poll(in)),
                Operation.of(RunnerCalls.HEARTBEAT, Need.RUN, (_, in) -> heartbeat(in)));
    }

    private Outcome<RegisteredView> register(RegisterRequest in) {
        if (in.agents() != null && in.agents().isArray() && !in.agents().isEmpty()) {
            return Outcome.refused(
                    new RequestRefusal.NotOffered("Registering a runner's own agents"));
        }
        var runner = Newcomer.read(in, clock.instant());
        var holds = new HashSet<RunId>();
        if (in.holds() != null) in.holds().forEach(id -> holds.add(new RunId(id)));
        var outcome =
                switch (runner.protocol()) {
                    case FENCED -> fleet.register().register(runner, holds);
                    case ORIGINAL -> fleet.register().registerOriginal(runner);
                };
        turns.next(runner.id());
        return outcome.map(this::registered);
    }

    private RegisteredView registered(Runner runner) {
        int beat = runner.protocol() == Runner.Protocol.FENCED ? 5 : 60;
        return new RegisteredView(
                runner.id().value(),
                RunnerCalls.POLL.path(),
                (int) POLL.toSeconds(),
                beat,
                handover.leaseSeconds(),
                runner.skills().capacity());
    }

    private Outcome<Heartbeat.Answer> heartbeat(Heartbeat in) {
        var held = new HashMap<RunId, RenewLeases.Held>();
        for (var run : in.runs() == null ? List.<Heartbeat.Held>of() : in.runs()) {
            boolean heard = Boolean.TRUE.equals(run.heard());
            long printed = run.outputBytes() == null ? 0 : run.outputBytes();
            held.put(new RunId(run.runId()), new RenewLeases.Held(run.fence(), heard, printed));
        }
        return fleet.renew()
                .renew(new RunnerId(String.valueOf(in.runnerId())), Map.copyOf(held))
                .map(answer ->
                        new Heartbeat.Answer(
                                true,
                                answer.lost().stream().map(RunId::value).toList(),
                                answer.stopping().stream().map(this::order).toList(),
                                answer.frozen().stream().map(RunId::value).toList(),
                                answer.overfull().stream().map(RunId::value).toList()));
    }

    private StopOrder order(Run run) {
        var left =
                run.state() instanceof RunState.Stopping(_, _, var deadline)
                        ? Duration.between(clock.instant(), deadline)
                        : Duration.ZERO;
        return new StopOrder(run.id().value(), run.session().value(), Math.max(0, left.toMillis()));
    }

    /** A stop goes before new work, and either ends the wait at once. */
    private Outcome<Polled> poll(RunnerCalls.Poll in) {
        var id = new RunnerId(in.runnerId());
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
                if (!stops.isEmpty()) return Outcome.done(stops(stops));
                var errands = errands(id);
                if (!errands.isEmpty()) return Outcome.done(errands(errands));
                switch (fleet.claim().claim(id)) {
                    case Outcome.Refused<Optional<ClaimRun.Claim>>(var refusal) -> {
                        return Outcome.refused(refusal);
                    }
                    case Outcome.Done<Optional<ClaimRun.Claim>>(var claim) -> {
                        if (claim.isPresent()) return Outcome.done(run(claim.get()));
                    }
                }
                if (freezes.heard(Duration.ZERO)) return Outcome.done(RENEW);
                var left = Duration.between(clock.instant(), until);
                if (left.isNegative() || left.isZero()) return Outcome.done(Polled.NOTHING);
                ear.heard(left.compareTo(LOOK) < 0 ? left : LOOK);
            }
            return Outcome.done(Polled.NOTHING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.done(Polled.NOTHING);
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

    private Polled stops(List<Run> runs) {
        return new Polled(
                null,
                runs.stream().map(r -> r.session().value()).toList(),
                runs.stream().map(this::order).toList(),
                null,
                null);
    }

    /** The original's runners know none. */
    private List<Errand> errands(RunnerId id) {
        var runner = fleet.transactions().read(() -> fleet.runners().find(id));
        return runner.filter(r -> r.protocol() == Runner.Protocol.FENCED)
                .map(r -> fleet.errands().take(r.post().hostname(), id))
                .orElse(List.of());
    }

    private static Polled errands(List<Errand> errands) {
        var orders = errands.stream().map(WorkViews::order).toList();
        return new Polled(null, null, null, orders, null);
    }

    private Polled run(ClaimRun.Claim claim) {
        return new Polled(handover.claimed(claim), null, null, null, null);
    }
}
