package dev.coppice.operations.fleet;

import dev.coppice.access.Need;
import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.Match;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.fleet.RenewLeases;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.TopicNotifier;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.Runs;
import dev.coppice.thread.Deadline;
import dev.coppice.view.WorkViews;
import dev.coppice.wire.Call;
import dev.coppice.wire.fleet.Heartbeat;
import dev.coppice.wire.fleet.Polled;
import dev.coppice.wire.fleet.RegisterRequest;
import dev.coppice.wire.fleet.RegisteredView;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.fleet.StopOrder;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.HandleTasks;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Registers runners, answers their polls for work, and takes their heartbeats. */
public final class RunnerOperations {
    private static final Duration POLL = Duration.ofSeconds(30);
    private static final int RUNS_AT_ONCE_MAX = 100;

    /** Polls order the stop of a program for this long after its session timed out. */
    private static final Duration TOLD_FOR = Duration.ofSeconds(60);

    /** The interval of polls without a notification: another coordinator may have queued a run. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final Transactions transactions;
    private final Runners runners;
    private final Runs runs;
    private final RegisterRunner registerRunner;
    private final JoinedRunners seats;
    private final ClaimRun claimRun;
    private final DrainOperations drain;
    private final RenewLeases renewLeases;
    private final HandleTasks handleTasks;
    private final OutputReads outputReads;
    private final AllBlueprints blueprints;
    private final Handover handover;
    private final TopicNotifier notifier;
    private final InstantSource clock;
    private final SentStops sentStops;
    private final Turns turns = new Turns();

    /** The form of answers to polls, and the answers besides work. */
    public interface PollForm<O> {
        O of(Polled work, Optional<Runner> runner);

        /** An answer that goes before all others. */
        default Optional<O> first(RunnerId runner) {
            return Optional.empty();
        }

        /** An answer that goes before runs and directory tasks. */
        default Optional<O> beforeRuns(Optional<Runner> runner) {
            return Optional.empty();
        }
    }

    public RunnerOperations(
            Transactions transactions,
            Runners runners,
            Runs runs,
            RegisterRunner registerRunner,
            JoinedRunners seats,
            ClaimRun claimRun,
            DrainOperations drain,
            RenewLeases renewLeases,
            HandleTasks handleTasks,
            OutputReads outputReads,
            AllBlueprints blueprints,
            Handover handover,
            TopicNotifier notifier,
            InstantSource clock) {
        this.transactions = transactions;
        this.runners = runners;
        this.runs = runs;
        this.registerRunner = registerRunner;
        this.seats = seats;
        this.claimRun = claimRun;
        this.drain = drain;
        this.renewLeases = renewLeases;
        this.handleTasks = handleTasks;
        this.outputReads = outputReads;
        this.blueprints = blueprints;
        this.handover = handover;
        this.notifier = notifier;
        this.clock = clock;
        this.sentStops = new SentStops(clock);
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                registering(),
                polling(RunnerCalls.POLL, (work, _) -> work),
                Operation.of(RunnerCalls.HEARTBEAT, Need.RUN, (_, in) -> heartbeat(in)));
    }

    public Operation<RegisterRequest, RegisteredView> registering() {
        return Operation.of(RunnerCalls.REGISTER, Need.RUN, this::register);
    }

    public <O> Operation<RunnerCalls.Poll, O> polling(
            Call<RunnerCalls.Poll, O> call, PollForm<O> form) {
        return Operation.of(call, Need.RUN, (_, in) -> poll(in, form));
    }

    private Outcome<RegisteredView> register(Context x, RegisterRequest in) {
        var runner = RunnerRegistration.read(in, clock.instant());
        var taken = blueprints.taken(runner);
        if (taken.isPresent()) return Outcome.refused(taken.get());
        var holds = new HashSet<RunId>();
        if (in.holds() != null) in.holds().forEach(id -> holds.add(new RunId(id)));
        var outcome =
                transactions.write(() ->
                        seats.bound(x.caller(), runner.id())
                                .then(_ ->
                                        switch (runner.protocol()) {
                                            case FENCED -> registerRunner.register(runner, holds);
                                            case UNFENCED ->
                                                    registerRunner.registerUnfenced(runner);
                                        }));
        turns.next(runner.id(), clock.instant());
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
        return renewLeases
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
                run.state() instanceof RunState.Stopping(_, _, var deadline, _)
                        ? Duration.between(clock.instant(), deadline)
                        : Duration.ZERO;
        return new StopOrder(run.id().value(), run.session().value(), Math.max(0, left.toMillis()));
    }

    private <O> Outcome<O> poll(RunnerCalls.Poll in, PollForm<O> form) {
        var id = new RunnerId(in.runnerId());
        var until = Deadline.in(POLL);
        long turn = turns.next(id, clock.instant());
        var runner = transactions.read(() -> runners.find(id));
        var nothing = Outcome.done(form.of(new Polled.Nothing(), runner));
        try (var subscription =
                notifier.subscribeForRuns(
                        demands -> runner.filter(r -> Match.between(demands, r)).isPresent(),
                        new Topic.WorkWaits(),
                        new Topic.RunnerHasRoom(id),
                        new Topic.TaskWaits(),
                        new Topic.StopWanted(id),
                        new Topic.OutputWanted(id),
                        new Topic.FreezeWanted(id))) {
            var poll = new Waiting<>(id, most(in), runner, subscription, form);
            var signalled = Set.<Topic>of();
            boolean hasRuns = false;
            try {
                for (boolean isFirst = true; isLatest(id, turn); isFirst = false) {
                    var answer = look(poll, signalled, isFirst);
                    hasRuns = answer.filter(Told::hasRuns).isPresent();
                    if (answer.isPresent()) return answer.get().outcome();
                    var left = until.left();
                    if (left.isZero()) return nothing;
                    signalled = subscription.awaitTopics(left.compareTo(LOOK) < 0 ? left : LOOK);
                }
                return nothing;
            } finally {
                // A queued run wakes only one poll. If that poll does not claim it, wake another.
                if (!hasRuns) subscription.passOn(signalled);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return nothing;
        }
    }

    private record Waiting<O>(
            RunnerId id,
            int max,
            Optional<Runner> runner,
            TopicNotifier.Subscription subscription,
            PollForm<O> form) {
        Optional<Told<O>> told(Polled work) {
            var answer = Outcome.done(form.of(work, runner));
            return Optional.of(new Told<>(answer, work instanceof Polled.Runs));
        }
    }

    /** An answer to a poll. */
    private record Told<O>(Outcome<O> outcome, boolean hasRuns) {
        static <O> Told<O> besides(O told) {
            return new Told<>(Outcome.done(told), false);
        }
    }

    private static int most(RunnerCalls.Poll in) {
        return in.max() == null ? 1 : Math.clamp(in.max(), 1, RUNS_AT_ONCE_MAX);
    }

    private boolean isLatest(RunnerId id, long turn) {
        return notifier.isOpen() && turns.isLatest(id, turn);
    }

    /**
     * Looks for what was signalled; for everything if nothing was. Stops go before directory tasks
     * and new runs. Empty if there is nothing for this runner.
     */
    private <O> Optional<Told<O>> look(Waiting<O> poll, Set<Topic> signalled, boolean isFirst) {
        var id = poll.id();
        boolean all = signalled.isEmpty();
        var first = poll.form().first(id);
        if (first.isPresent()) return first.map(Told::besides);
        if (all || signalled.contains(new Topic.StopWanted(id))) {
            var stops = sentStops.unsent(stopping(id));
            if (!stops.isEmpty()) {
                return poll.told(new Polled.Stops(stops.stream().map(this::order).toList()));
            }
        }
        if (all || signalled.contains(new Topic.OutputWanted(id))) {
            var outputs = outputReads.unsent(id);
            if (!outputs.isEmpty()) return poll.told(new Polled.Outputs(outputs));
        }
        var before = poll.form().beforeRuns(poll.runner());
        if (before.isPresent()) return before.map(Told::besides);
        if (all || signalled.contains(new Topic.TaskWaits())) {
            var tasks = tasks(poll.runner());
            if (!tasks.isEmpty()) {
                return poll.told(new Polled.Tasks(tasks.stream().map(WorkViews::order).toList()));
            }
        }
        if (all || isAboutRuns(signalled)) {
            var claimed = claim(poll, signalled, isFirst);
            if (claimed.isPresent()) return claimed;
        }
        return signalled.contains(new Topic.FreezeWanted(id))
                ? poll.told(Polled.Renew.NOW)
                : Optional.empty();
    }

    private static boolean isAboutRuns(Set<Topic> signalled) {
        return signalled.stream()
                .anyMatch(topic ->
                        switch (topic) {
                            case Topic.RunQueued _, Topic.WorkWaits _, Topic.RunnerHasRoom _ ->
                                    true;
                            default -> false;
                        });
    }

    /** A runner that is full leaves queued runs to others until it has room again. */
    private <O> Optional<Told<O>> claim(Waiting<O> poll, Set<Topic> signalled, boolean isFirst) {
        var id = poll.id();
        var ask =
                new ClaimRun.Ask(
                        isFirst,
                        poll.max(),
                        turns.countSince(clock.instant().minus(POLL)),
                        drain.which());
        return switch (claimRun.claim(id, ask)) {
            // The runner may have been removed since the look above.
            case Outcome.Refused<List<ClaimRun.Claim>>(var refusal) ->
                    Optional.of(
                            poll.form()
                                    .first(id)
                                    .map(Told::besides)
                                    .orElseGet(() -> new Told<>(Outcome.refused(refusal), false)));
            case Outcome.Done<List<ClaimRun.Claim>>(var claims) -> {
                if (!claims.isEmpty()) {
                    yield poll.told(
                            Polled.Runs.of(claims.stream().map(handover::claimed).toList()));
                }
                if (claimRun.isFull(id)) poll.subscription().passOn(signalled);
                else poll.subscription().resume();
                yield Optional.empty();
            }
        };
    }

    private List<Run> stopping(RunnerId id) {
        return transactions.read(() -> {
            var stopping = runs.heldBy(id, "stopping").stream();
            var between = runs.lastWith(id, "stopping", Instant.EPOCH).stream();
            var since = clock.instant().minus(TOLD_FOR);
            var late = runs.lastWith(id, "timed_out", since).stream();
            return Stream.of(stopping, between, late).flatMap(s -> s).toList();
        });
    }

    /** Claims directory tasks; none for unfenced runners, which do not know them. */
    private List<DirectoryTask> tasks(Optional<Runner> runner) {
        return runner.filter(r -> r.protocol() == Runner.Protocol.FENCED)
                .map(r -> handleTasks.claim(r.post().hostname(), r.id()))
                .orElse(List.of());
    }
}
