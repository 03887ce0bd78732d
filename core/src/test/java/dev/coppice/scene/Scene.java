package dev.coppice.scene;

import dev.coppice.budget.Spending;
import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackFilter;
import dev.coppice.callback.CallbackId;
import dev.coppice.callback.CallbackPorts;
import dev.coppice.callback.CloseChildren;
import dev.coppice.callback.DeliverCallbacks;
import dev.coppice.callback.Join;
import dev.coppice.callback.JoinChildren;
import dev.coppice.callback.OweCallbacks;
import dev.coppice.callback.RetryCallback;
import dev.coppice.callback.SendMessage;
import dev.coppice.callback.SettleRemoved;
import dev.coppice.fleet.Breaker;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.Leases;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.fleet.RenewLeases;
import dev.coppice.fleet.Runner;
import dev.coppice.held.HeldInventory;
import dev.coppice.held.HeldStore;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Backups;
import dev.coppice.removal.PlanRemoval;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalPlan;
import dev.coppice.removal.RemovalSteps;
import dev.coppice.removal.RemoveTree;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.run.Demands;
import dev.coppice.run.Holder;
import dev.coppice.run.LifecycleListeners;
import dev.coppice.run.Mode;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Ports;
import dev.coppice.run.ReportRun;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.run.RunSweeps;
import dev.coppice.run.StartRun;
import dev.coppice.run.Task;
import dev.coppice.session.Limits;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.StartSession;
import dev.coppice.session.TreeQuota;
import dev.coppice.stop.StopId;
import dev.coppice.stop.StopSession;
import dev.coppice.stop.StopTree;
import dev.coppice.stop.TreeStop;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.HandleTasks;

import org.jspecify.annotations.Nullable;

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
    public final Clock clock = new Clock();
    public final HeldStore store = new HeldStore(_ -> {});
    private final Ids ids = Ids.from(new Random(7));
    public final CallbackPorts callbackPorts =
            new CallbackPorts(
                    store.callbacks(),
                    store.joins(),
                    store.journal(),
                    ids,
                    CallbackPorts.Terms.DEFAULT);
    private final StopTree stopTree = new StopTree(store.treeStops(), ids);
    public final Spending spending = new Spending(store.budgets(), stopTree);
    final Breaker breaker = new Breaker(store.accountHolds(), Duration.ofSeconds(30));
    public final Ports ports =
            new Ports(
                    store,
                    store.sessions(),
                    store.runs(),
                    store.journal(),
                    store,
                    new LifecycleListeners(
                            List.of(
                                    new OweCallbacks(callbackPorts),
                                    new CloseChildren(callbackPorts),
                                    spending,
                                    breaker,
                                    stopTree)),
                    spending,
                    new TreeQuota(store.sessions(), LIMITS),
                    clock);
    private final StartSession startSession =
            new StartSession(
                    new StartSession.Tree(store, store.sessions(), store.journal()),
                    ports.room(),
                    clock,
                    ids);
    private final StartRun startRun = new StartRun(ports, startSession, Duration.ofMinutes(5), ids);
    private final RegisterRunner register =
            new RegisterRunner(ports, store.runners(), Duration.ofMinutes(2));
    private final ClaimRun claim = new ClaimRun(ports, store.runners(), Leases.DEFAULT, breaker);
    public final RenewLeases renew = new RenewLeases(ports, store.runners(), Leases.DEFAULT);
    public final ReportRun report = new ReportRun(ports);
    private final StopSession stop = new StopSession(ports);
    private final RunSweeps sweeps = new RunSweeps(ports);
    private final DeliverCallbacks deliver =
            new DeliverCallbacks(ports, callbackPorts, startRun, new PlainPrompting());
    private final SendMessage send = new SendMessage(ports, callbackPorts);

    /** Errors that the next attempts to write a backup throw, one each. */
    public final List<String> backupTroubles = new ArrayList<>();

    private final Backups backups =
            new Backups() {
                @Override
                public Removal.Backup write(Removal removal, List<Removal> earlier) {
                    if (backupTroubles.isEmpty())
                        return new Removal.Backup(removal.id() + ".coppice", "hash", 1);
                    var trouble = backupTroubles.removeFirst();
                    throw new NotWritten(trouble, new IllegalStateException(trouble));
                }

                @Override
                public void drop(String preservedFile) {
                    // No files in memory.
                }

                @Override
                public void drop(DirectoryTaskId task) {
                    // No files in memory.
                }

                @Override
                public void keepOnly(RemovalId removal, Removal.@Nullable Backup backup) {
                    // No files in memory.
                }
            };
    public final HandleTasks handleTasks = new HandleTasks(ports, store.tasks());

    /** The critical operations that a plan reports. */
    public final List<RemovalPlan.Critical> critical = new ArrayList<>();

    public final PlanRemoval planner =
            new PlanRemoval(
                    ports,
                    store.removals(),
                    store.callbacks(),
                    (_, _, _) -> List.copyOf(critical),
                    store.tasks());
    public final RemoveTree.Parts parts =
            new RemoveTree.Parts(
                    ports,
                    store.removals(),
                    store.audit(),
                    planner,
                    store.tasks(),
                    store.tasks(),
                    backups,
                    new SettleRemoved(callbackPorts),
                    spending,
                    stopTree,
                    ids,
                    Duration.ofDays(7));
    public final RemoveTree remove = new RemoveTree(parts);
    public final RemovalSteps removalSteps = new RemovalSteps(parts);
    public final UndoRemoval undo = new UndoRemoval(parts);
    private final JoinChildren joins = new JoinChildren(ports, callbackPorts);
    private final RetryCallback retryCallback = new RetryCallback(ports, callbackPorts);

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
        return startSession.start(asked);
    }

    public Outcome<StartRun.Started> run(NewSession asked) {
        return startRun.start(asked, order(Mode.ASYNC_POLL));
    }

    public Outcome<StartRun.Started> run(NewSession asked, Mode mode) {
        return startRun.start(asked, order(mode));
    }

    public Outcome<StartRun.Started> resume(String name) {
        return startRun.resume(new SessionId(name), ParentReference.NONE, order(Mode.ASYNC_POLL));
    }

    public Outcome<StartRun.Started> resume(String name, Mode mode) {
        return startRun.resume(new SessionId(name), ParentReference.NONE, order(mode));
    }

    public Outcome<StartRun.Started> resume(String name, ParentReference claimed) {
        return startRun.resume(new SessionId(name), claimed, order(Mode.ASYNC_POLL));
    }

    public Outcome<StartRun.Started> run(NewSession asked, Task.Terms terms) {
        var plain = order(Mode.ASYNC_POLL);
        var t = plain.task();
        var task =
                new Task(
                        t.blueprint(),
                        t.definition(),
                        t.parameters(),
                        t.scope(),
                        t.projectDir(),
                        terms);
        return startRun.start(asked, new StartRun.Order(plain.mode(), task, plain.demands()));
    }

    public static StartRun.Order order(Mode mode) {
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
                        capacity);
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
                        ? register.register(runner, holds)
                        : register.registerOriginal(runner));
        return id;
    }

    public java.util.Optional<ClaimRun.Claim> claim(RunnerId runner) {
        return done(claim.claim(runner));
    }

    public Outcome<RenewLeases.Answer> renew(RunnerId runner, java.util.Map<RunId, Long> fences) {
        var held = new java.util.HashMap<RunId, RenewLeases.Held>();
        fences.forEach((run, fence) -> held.put(run, new RenewLeases.Held(fence, false, 0)));
        return renew.renew(runner, held);
    }

    public Outcome<Run> confirmed(ClaimRun.Claim claim) {
        return report.confirmed(claim.run().id(), claim.lease().holder(), Leases.DEFAULT.run());
    }

    public Outcome<Run> finished(ClaimRun.Claim claim, String text) {
        return finished(claim.run().id(), claim.lease().holder(), text);
    }

    public Outcome<Run> finished(RunId run, Holder by, String text) {
        return report.completed(run, by, new Result(text, null), MoveRun.After.FINISHED);
    }

    public Outcome<Run> failed(ClaimRun.Claim claim, String error) {
        return report.failed(claim.run().id(), claim.lease().holder(), error);
    }

    public Outcome<Run> stopped(ClaimRun.Claim claim) {
        return report.stopped(claim.run().id(), claim.lease().holder(), "SIGTERM");
    }

    public Outcome<StopSession.Stop> stop(String name) {
        return stop.stop(new SessionId(name), Duration.ofSeconds(5), "asked to");
    }

    public Outcome<TreeStop> stopTree(String name) {
        return stopTree.stop(
                ports, new SessionId(name), new TreeStop.Order(Duration.ofSeconds(5), "asked to"));
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
        sweeps.lostRuns();
        sweeps.unmatchedRuns();
        sweeps.overdueStops();
        sweeps.runsOutOfTime();
    }

    /** Delivers due callbacks; returns the number of woken sessions. */
    public int deliver() {
        return deliver.dueNow();
    }

    public int forgetHeld() {
        return deliver.heldTooLong();
    }

    public Outcome<Callback> send(String to, String text, About.WhenBusy whenBusy) {
        return send.send(
                new SessionId(to), new About.Message(text, null, whenBusy), Duration.ofSeconds(5));
    }

    public Outcome<Join> join(String by, Join.Until until, Duration patience, String... children) {
        var ids = Stream.of(children).map(SessionId::new).toList();
        return joins.open(new SessionId(by), ids, until, patience);
    }

    public int joinsTimedOut() {
        return joins.timedOut();
    }

    public Outcome<Callback> again(CallbackId id) {
        return retryCallback.retry(id);
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
