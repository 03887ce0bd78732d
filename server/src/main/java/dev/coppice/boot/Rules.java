package dev.coppice.boot;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.audit.Act;
import dev.coppice.backup.BackupsOnDisk;
import dev.coppice.backup.PreservedElsewhere;
import dev.coppice.backup.RestoreFile;
import dev.coppice.backup.Strays;
import dev.coppice.backup.UploadStore;
import dev.coppice.budget.Spending;
import dev.coppice.callback.CallbackPorts;
import dev.coppice.callback.DeliverCallbacks;
import dev.coppice.callback.JoinChildren;
import dev.coppice.callback.RetryCallback;
import dev.coppice.callback.SendMessage;
import dev.coppice.callback.SettleRemoved;
import dev.coppice.fleet.Breaker;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.fleet.RenewLeases;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.removal.PlanRemoval;
import dev.coppice.removal.RemovalSteps;
import dev.coppice.removal.RemoveTree;
import dev.coppice.removal.RestoreTree;
import dev.coppice.removal.Retention;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.run.Ports;
import dev.coppice.run.ReportEvent;
import dev.coppice.run.ReportRun;
import dev.coppice.run.RunSweeps;
import dev.coppice.run.StartRun;
import dev.coppice.session.StartSession;
import dev.coppice.stop.StopSession;
import dev.coppice.stop.StopTree;
import dev.coppice.store.Store;
import dev.coppice.upkeep.Sweeps;
import dev.coppice.view.Criticals;
import dev.coppice.view.JsonPrompting;
import dev.coppice.work.HandleTasks;
import dev.coppice.work.InspectWork;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;

/** Builds every command and sweep on one store. */
final class Rules {
    private static final Duration STALE_AFTER = Duration.ofMinutes(2);
    private static final Duration VANISHED_AFTER = Duration.ofMinutes(10);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration EVENTS_SWEPT = Duration.ofSeconds(30);
    private static final Duration TREES_SWEPT = Duration.ofMinutes(10);
    private static final int ROWS_PER_SWEEP_MAX = 2_000;

    private static final Duration SLEPT = Duration.ofSeconds(5);
    private volatile Instant awake;
    private volatile Instant looked;
    private volatile long failedWrites;

    final Settings settings;
    final Store store;
    final Ports ports;
    final Access access;
    final StartSession startSession;
    final StartRun startRun;
    final StopSession stop;
    final StopTree stopTree;
    final Spending spending;
    final Breaker breaker;
    final ReportRun report;
    final ReportEvent reportEvent;
    final RegisterRunner register;
    final ClaimRun claim;
    final RenewLeases renew;
    final DeliverCallbacks deliver;
    final JoinChildren join;
    final SendMessage send;
    final RetryCallback retryCallback;
    final PlanRemoval planRemoval;
    final RemoveTree removeTree;
    final RemovalSteps removalSteps;
    final Retention retention;
    final UndoRemoval undoRemoval;
    final InspectWork lookAtWork;
    final HandleTasks handleTasks;
    final UploadStore storeroom;
    final BackupsOnDisk backups;
    final RestoreFile restoreFile;
    final Ids ids;

    /** Parts that commands use, and that also act when a run or session ends. */
    record Parts(StopTree stop, Spending spending, Breaker breaker) {}

    Rules(Settings settings, Store store, Ports ports, CallbackPorts callbacks, Parts parts) {
        this.stopTree = parts.stop();
        this.spending = parts.spending();
        this.breaker = parts.breaker();
        this.ids = callbacks.ids();
        this.awake = ports.clock().instant();
        this.looked = awake;
        this.settings = settings;
        this.store = store;
        this.ports = ports;
        this.access = new Access(store.sessions(), store.removals());
        this.startSession =
                new StartSession(
                        new StartSession.Tree(
                                ports.transactions(), store.sessions(), store.journal()),
                        ports.room(),
                        ports.clock(),
                        ids);
        this.startRun = new StartRun(ports, startSession, settings.unmatchedAfter(), ids);
        this.stop = new StopSession(ports);
        this.report = new ReportRun(ports);
        this.reportEvent = new ReportEvent(ports);
        this.register = new RegisterRunner(ports, store.runners(), STALE_AFTER);
        this.claim = new ClaimRun(ports, store.runners(), settings.leases(), parts.breaker());
        this.renew = new RenewLeases(ports, store.runners(), settings.leases());
        this.deliver = new DeliverCallbacks(ports, callbacks, startRun, new JsonPrompting());
        this.join = new JoinChildren(ports, callbacks);
        this.send = new SendMessage(ports, callbacks);
        this.retryCallback = new RetryCallback(ports, callbacks);
        this.planRemoval = planRemoval();
        this.lookAtWork = new InspectWork(ports, store.tasks());
        this.handleTasks = new HandleTasks(ports, store.tasks());
        this.storeroom = new UploadStore(settings.backups().resolve("preserved"));
        this.backups = backups();
        var removing =
                new RemoveTree.Parts(
                        ports,
                        store.removals(),
                        store.audit(),
                        planRemoval,
                        store.tasks(),
                        store.workplaces(),
                        backups,
                        new SettleRemoved(callbacks),
                        spending,
                        stopTree,
                        ids,
                        settings.undoWindow());
        this.removeTree = new RemoveTree(removing);
        this.removalSteps = new RemovalSteps(removing);
        this.retention = new Retention(removing, removeTree, settings.removalDeadline());
        this.undoRemoval = new UndoRemoval(removing);
        this.restoreFile = restoreFile(removing);
    }

    private RestoreFile restoreFile(RemoveTree.Parts removing) {
        var preserved =
                new PreservedElsewhere(
                        ports.transactions(), store.tasks(), storeroom, ports.clock());
        var restore = new RestoreTree(removing, store.treeRows());
        return new RestoreFile(restore, preserved, settings.backups());
    }

    private PlanRemoval planRemoval() {
        return new PlanRemoval(
                ports, store.removals(), store.callbacks(), criticals(), store.workplaces());
    }

    private Criticals criticals() {
        return new Criticals(
                store.sessions(),
                store.journal(),
                store.callbacks(),
                store.runs(),
                store.runners(),
                ports.clock(),
                () -> awake);
    }

    private BackupsOnDisk backups() {
        var source =
                new BackupsOnDisk.Source(
                        ports.transactions(), store.treeRows(), store.tasks(), store.audit());
        return new BackupsOnDisk(source, storeroom, ports.clock(), settings.backups());
    }

    /** Audits a refused attempt: the role of the caller may not use the endpoint. */
    void auditRefusal(Caller caller, String what, RequestRefusal refusal) {
        var who = new Act.Who(caller.key(), caller.role().name().toLowerCase(Locale.ROOT));
        var asked = new Act.What("request", null, null, null, what);
        var refused = Act.Decision.refused(refusal.said());
        var act = new Act(ports.clock().instant(), who, asked, refused, null, null);
        ports.transactions()
                .write(() -> {
                    store.audit().append(act);
                    return act;
                });
    }

    Strays strays() {
        return new Strays(
                ports.transactions(),
                store.removals(),
                store.tasks(),
                store.inventory(),
                ports.clock(),
                settings.backups());
    }

    List<Sweeps.Sweep> sweeps() {
        var runs = new RunSweeps(ports);
        var found = new ArrayList<Sweeps.Sweep>();
        found.add(new Sweeps.Sweep("lost-runs", SECOND, () -> lostRuns(runs)));
        found.add(patient("unmatched-runs", runs::unmatchedRuns));
        found.add(new Sweeps.Sweep("runs-out-of-time", SECOND, runs::runsOutOfTime));
        found.add(new Sweeps.Sweep("tree-stops", SECOND, () -> stopTree.retryStops(ports)));
        found.add(patient("overdue-stops", runs::overdueStops));
        found.add(patient("unanswered-stops", runs::unansweredStops));
        found.add(new Sweeps.Sweep("callbacks", SECOND, new Topic.CallbackDue(), deliver::dueNow));
        found.add(new Sweeps.Sweep("held-callbacks", Duration.ofMinutes(1), deliver::heldTooLong));
        found.add(new Sweeps.Sweep("budgets", SECOND, () -> spending.timeRunsOut(ports)));
        found.add(new Sweeps.Sweep("joins", SECOND, join::timedOut));
        found.add(
                new Sweeps.Sweep(
                        "removals", SECOND, new Topic.RemovalDue(), removalSteps::advance));
        found.add(
                new Sweeps.Sweep("backups", SECOND, new Topic.RemovalDue(), removalSteps::backUp));
        found.add(
                new Sweeps.Sweep("forgotten-looks", Duration.ofMinutes(5), lookAtWork::forgotten));
        found.add(new Sweeps.Sweep("releases", Duration.ofMinutes(10), handleTasks::retryReleases));
        found.add(new Sweeps.Sweep("strays", Duration.ofMinutes(10), strays()::deleteAll));
        found.add(new Sweeps.Sweep("vanished-runners", Duration.ofMinutes(1), this::vanished));
        found.add(new Sweeps.Sweep("old-receipts", Duration.ofMinutes(10), this::oldReceipts));
        var keepSessions = settings.keepSessions();
        if (keepSessions != null) {
            var every = keepSessions.compareTo(TREES_SWEPT) < 0 ? keepSessions : TREES_SWEPT;
            found.add(new Sweeps.Sweep("old-trees", every, () -> retention.sweep(keepSessions)));
        }
        var keep = settings.keepEvents();
        if (keep != null) {
            var every = keep.compareTo(EVENTS_SWEPT) < 0 ? keep : EVENTS_SWEPT;
            found.add(new Sweeps.Sweep("old-events", every, () -> oldEvents(keep)));
        }
        return found;
    }

    /** A sweep that begins one lease after a start or an absence: runners must report first. */
    private Sweeps.Sweep patient(String name, IntSupplier work) {
        return new Sweeps.Sweep(
                name,
                SECOND,
                () -> {
                    boolean early =
                            ports.clock().instant().isBefore(awake.plus(settings.leases().run()));
                    return early ? 0 : work.getAsInt();
                });
    }

    /**
     * Expires leases. While this process slept, was suspended or could not write, no runner could
     * renew: then every lease first gets its full length again.
     */
    private int lostRuns(RunSweeps runs) {
        var now = ports.clock().instant();
        long failed = ports.transactions().failedWrites();
        if (looked.plus(SLEPT).isBefore(now) || failed != failedWrites) {
            renew.extendAllLeases();
            awake = now;
            failedWrites = failed;
        }
        looked = now;
        return runs.lostRuns();
    }

    private int vanished() {
        return register.forgetVanished(VANISHED_AFTER);
    }

    private int oldReceipts() {
        var until = ports.clock().instant().minus(Bounds.IDEMPOTENCY_RETENTION);
        return ports.transactions()
                .write(() -> store.receipts().forgetUntil(until, ROWS_PER_SWEEP_MAX));
    }

    private int oldEvents(Duration keep) {
        var until = ports.clock().instant().minus(keep);
        return ports.transactions()
                .write(() -> store.journal().forgetUntil(until, ROWS_PER_SWEEP_MAX));
    }
}
