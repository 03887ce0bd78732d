package dev.coppice.scene;

import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackFilter;
import dev.coppice.callback.CallbackId;
import dev.coppice.callback.CallbackPorts;
import dev.coppice.callback.Join;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.Leases;
import dev.coppice.fleet.RenewLeases;
import dev.coppice.fleet.Runner;
import dev.coppice.held.HeldInventory;
import dev.coppice.held.HeldStore;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Demands;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.RemovalPlan;
import dev.coppice.run.Holder;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.run.StartRun;
import dev.coppice.run.Task;
import dev.coppice.session.Limits;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.stop.StopId;
import dev.coppice.stop.StopSession;
import dev.coppice.stop.TreeStop;
import dev.coppice.wiring.Rules;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.WhenBusy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** All commands on a store in memory, with shorthands for tests. */
public final class Scene {
    public static final Limits LIMITS =
            Limits.NONE
                    .with(Limits.Kind.DEPTH, 6)
                    .with(Limits.Kind.CHILDREN, 5)
                    .with(Limits.Kind.DESCENDANTS, 20)
                    .with(Limits.Kind.RUNS, 8);
    public static final Rules.Terms TERMS =
            new Rules.Terms(
                    LIMITS,
                    Leases.DEFAULT,
                    CallbackPorts.Terms.DEFAULT,
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(5),
                    Duration.ofDays(7),
                    Choices.DEADLINE);
    public final Clock clock = new Clock();
    public final HeldStore store = new HeldStore(_ -> {});
    public final NoBackups backups = new NoBackups();

    /** The critical operations that a plan reports. */
    public final List<RemovalPlan.Critical> critical = new ArrayList<>();

    private final Ids ids = Ids.from(new Random(7));
    public final Rules rules = coordinator();

    /** Another coordinator on the same store. */
    public Rules coordinator() {
        var outside =
                new Rules.Outside(
                        clock,
                        ids,
                        new PlainPrompting(),
                        (_, _, _) -> List.copyOf(critical),
                        backups);
        return new Rules(store.ports(), outside, TERMS);
    }

    public static NewSession named(String name) {
        return new NewSession(
                new SessionId(name), name, null, ParentReference.NONE, Profile.EMPTY, Limits.NONE);
    }

    public static NewSession below(String parent, String name) {
        return below(parent, name, Limits.NONE);
    }

    public static NewSession below(String parent, String name, Limits limits) {
        return new NewSession(
                new SessionId(name),
                name,
                null,
                new ParentReference(null, parent),
                Profile.EMPTY,
                limits);
    }

    public Outcome<Session> session(NewSession asked) {
        return rules.startSession.start(asked);
    }

    public Outcome<StartRun.Started> run(NewSession asked) {
        return rules.startRun.start(asked, order(ExecutionMode.ASYNC_POLL));
    }

    public Outcome<StartRun.Started> run(NewSession asked, ExecutionMode mode) {
        return rules.startRun.start(asked, order(mode));
    }

    public Outcome<StartRun.Started> resume(String name) {
        return rules.startRun.resume(
                new SessionId(name), ParentReference.NONE, order(ExecutionMode.ASYNC_POLL));
    }

    public Outcome<StartRun.Started> resume(String name, ExecutionMode mode) {
        return rules.startRun.resume(new SessionId(name), ParentReference.NONE, order(mode));
    }

    public Outcome<StartRun.Started> resume(String name, ParentReference claimed) {
        return rules.startRun.resume(new SessionId(name), claimed, order(ExecutionMode.ASYNC_POLL));
    }

    public Outcome<StartRun.Started> run(NewSession asked, Task.Terms terms) {
        var plain = order(ExecutionMode.ASYNC_POLL);
        var t = plain.task();
        var task =
                new Task(
                        t.blueprint(),
                        t.definition(),
                        t.parameters(),
                        t.scope(),
                        t.projectDir(),
                        terms);
        return rules.startRun.start(asked, new StartRun.Order(plain.mode(), task, plain.demands()));
    }

    public static StartRun.Order order(ExecutionMode mode) {
        var task =
                new Task(
                        "scripted",
                        JsonText.EMPTY_OBJECT,
                        JsonText.EMPTY_OBJECT,
                        JsonText.EMPTY_OBJECT,
                        null,
                        Task.Terms.NONE);
        return new StartRun.Order(mode, task, Demands.NONE);
    }

    public RunnerId runner(String name, int capacity) {
        return runner(name, capacity, Runner.Protocol.FENCED, Set.of());
    }

    public RunnerId runner(String name, int capacity, Runner.Protocol protocol, Set<RunId> holds) {
        var id = new RunnerId(name);
        var skills =
                new Runner.Skills(
                        JsonText.EMPTY_OBJECT,
                        "autonomous",
                        Set.of(),
                        Runner.Matching.ANY_RUN,
                        capacity,
                        null);
        var runner =
                new Runner(
                        id,
                        new Runner.Post(name, "/", "test"),
                        skills,
                        protocol,
                        clock.instant(),
                        clock.instant());
        done(
                protocol == Runner.Protocol.FENCED
                        ? rules.register.register(runner, holds)
                        : rules.register.registerUnfenced(runner));
        return id;
    }

    public java.util.Optional<ClaimRun.Claim> claim(RunnerId runner) {
        return done(rules.claim.claim(runner, ClaimRun.Ask.ONE)).stream().findFirst();
    }

    /** A run that this runner has claimed and begun. */
    public ClaimRun.Claim begun(RunnerId runner) {
        var claim = claim(runner).orElseThrow();
        done(confirmed(claim));
        return claim;
    }

    public Outcome<RenewLeases.Answer> renew(RunnerId runner, java.util.Map<RunId, Long> fences) {
        var held = new java.util.HashMap<RunId, RenewLeases.Held>();
        fences.forEach((run, fence) -> held.put(run, new RenewLeases.Held(fence, false, 0)));
        return rules.renew.renew(runner, held);
    }

    public Outcome<Run> confirmed(ClaimRun.Claim claim) {
        return rules.report.confirmed(
                claim.run().id(), claim.lease().holder(), Leases.DEFAULT.run());
    }

    public Outcome<Run> finished(ClaimRun.Claim claim, String text) {
        return finished(claim.run().id(), claim.lease().holder(), text);
    }

    public Outcome<Run> finished(RunId run, Holder by, String text) {
        return rules.report.completed(run, by, new Result(text, null), MoveRun.After.FINISHED);
    }

    public Outcome<Run> failed(ClaimRun.Claim claim, String error) {
        return rules.report.failed(claim.run().id(), claim.lease().holder(), error);
    }

    public Outcome<Run> stopped(ClaimRun.Claim claim) {
        return rules.report.stopped(claim.run().id(), claim.lease().holder(), "SIGTERM");
    }

    public Outcome<StopSession.Stop> stop(String name) {
        return rules.stop.stop(new SessionId(name), Duration.ofSeconds(5), "asked to");
    }

    public Outcome<TreeStop> stopTree(String name) {
        return rules.stopTree.stop(
                rules.ports,
                new SessionId(name),
                new TreeStop.Order(Duration.ofSeconds(5), "asked to"));
    }

    public TreeStop look(StopId id) {
        return store.read(() -> store.treeStops().find(id).orElseThrow());
    }

    /** Asserts that no row refers to something that does not exist. */
    public void assertNothingIsLeft() {
        var found = store.read(() -> HeldInventory.leftovers(store));
        if (!found.isEmpty()) throw new AssertionError("left over: " + found);
    }

    public void sweep() {
        rules.expireLeases.sweep(clock.instant());
        rules.runSweeps.unmatchedRuns();
        rules.runSweeps.overdueStops();
        rules.runSweeps.runsOutOfTime();
    }

    /** Delivers due callbacks; returns the number of woken sessions. */
    public int deliver() {
        return rules.deliver.deliverDue();
    }

    public int forgetHeld() {
        return rules.deliver.giveUpHeld();
    }

    public Outcome<Callback> send(String to, String text, WhenBusy whenBusy) {
        return rules.send.send(
                new SessionId(to), new About.Message(text, null, whenBusy), Duration.ofSeconds(5));
    }

    public Outcome<Join> join(String by, Join.Until until, Duration patience, String... children) {
        var ids = Stream.of(children).map(SessionId::new).toList();
        return rules.join.open(new SessionId(by), ids, until, patience);
    }

    public int joinsTimedOut() {
        return rules.join.closeTimedOut();
    }

    public Outcome<Callback> again(CallbackId id) {
        return rules.retryCallback.retry(id);
    }

    /** All callbacks, oldest first. */
    public List<Callback> callbacks() {
        return store.read(() ->
                        store.callbacks().list(CallbackFilter.ALL, Cursor.first(10_000)).items())
                .reversed();
    }

    public Session look(String name) {
        return store.read(() -> store.sessions().named(name).orElseThrow());
    }

    public Run look(RunId id) {
        return store.read(() -> store.runs().find(id).orElseThrow());
    }

    public List<Entry> entries() {
        return store.read(() -> store.journal().after(0, Journal.Scope.ALL, 10_000));
    }

    public static <T> T done(Outcome<T> outcome) {
        return switch (outcome) {
            case Outcome.Done<T>(var value) -> value;
            case Outcome.Refused<T>(var refusal) -> throw new AssertionError(refusal.said());
        };
    }

    public static Refusal refused(Outcome<?> outcome) {
        return switch (outcome) {
            case Outcome.Refused<?>(var refusal) -> refusal;
            case Outcome.Done<?>(var value) -> throw new AssertionError("not refused: " + value);
        };
    }
}
