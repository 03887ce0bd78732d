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
import dev.coppice.callback.AskAgain;
import dev.coppice.callback.CallbackDesk;
import dev.coppice.callback.DeliverCallbacks;
import dev.coppice.callback.JoinChildren;
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
import dev.coppice.run.Desk;
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
    final Desk desk;
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
    final AskAgain askAgain;
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

    Rules(Settings settings, Store store, Desk desk, CallbackDesk callbacks, Parts parts) {
        this.stopTree = parts.stop();
        this.spending = parts.spending();
        this.breaker = parts.breaker();
        this.ids = callbacks.ids();
        this.awake = desk.clock().instant();
        this.looked = awake;
        this.settings = settings;
        this.store = store;
        this.desk = desk;
        this.access = new Access(store.sessions(), store.removals());
        this.startSession =
                new StartSession(
                        new StartSession.Tree(
                                desk.transactions(), store.sessions(), store.journal()),
                        desk.room(),
                        desk.clock(),
                        ids);
        this.startRun = new StartRun(desk, startSession, settings.unmatchedAfter(), ids);
        this.stop = new StopSession(desk);
        this.report = new ReportRun(desk);
        this.reportEvent = new ReportEvent(desk);
        this.register = new RegisterRunner(desk, store.runners(), STALE_AFTER);
        this.claim = new ClaimRun(desk, store.runners(), settings.leases(), parts.breaker());
        this.renew = new RenewLeases(desk, store.runners(), settings.leases());
        this.deliver = new DeliverCallbacks(desk, callbacks, startRun, new JsonPrompting());
        this.join = new JoinChildren(desk, callbacks);
        this.send = new SendMessage(desk, callbacks);
        this.askAgain = new AskAgain(desk, callbacks);
        this.planRemoval = planRemoval();
        this.lookAtWork = new InspectWork(desk, store.tasks());
        this.handleTasks = new HandleTasks(desk, store.tasks());
        this.storeroom = new UploadStore(settings.backups().resolve("preserved"));
        this.backups = backups();
        var removing =
                new RemoveTree.Parts(
                        desk,
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
                new PreservedElsewhere(desk.transactions(), store.tasks(), storeroom, desk.clock());
        var restore = new RestoreTree(removing, store.treeRows());
        return new RestoreFile(restore, preserved, settings.backups());
    }

    private PlanRemoval planRemoval() {
        return new PlanRemoval(
                desk, store.removals(), store.callbacks(), criticals(), store.workplaces());
    }

    private Criticals criticals() {
        return new Criticals(
                store.sessions(),
                store.journal(),
                store.callbacks(),
                store.runs(),
                store.runners(),
                desk.clock(),
                () -> awake);
    }

    private BackupsOnDisk backups() {
        var source =
                new BackupsOnDisk.Source(
                        desk.transactions(), store.treeRows(), store.tasks(), store.audit());
        return new BackupsOnDisk(source, storeroom, desk.clock(), settings.backups());
    }

    /** Audits a refused attempt: the role of the caller may not use the endpoint. */
    void auditRefusal(Caller caller, String what, RequestRefusal refusal) {
        var who = new Act.Who(caller.key(), caller.role().name().toLowerCase(Locale.ROOT));
        var asked = new Act.What("request", null, null, null, what);
        var refused = Act.Decision.refused(refusal.said());
        var act = new Act(desk.clock().instant(), who, asked, refused, null, null);
        desk.transactions()
                .write(() -> {
                    store.audit().append(act);
                    return act;
                });
    }

    Strays strays() {
        return new Strays(
                desk.transactions(),
                store.removals(),
                store.tasks(),
                store.inventory(),
                desk.clock(),
                settings.backups());
    }

    List<Sweeps.Sweep> sweeps() {
        var runs = new RunSweeps(desk);
        var found = new ArrayList<Sweeps.Sweep>();
        found.add(new Sweeps.Sweep("lost-runs", SECOND, () -> lostRuns(runs)));
        found.add(patient("unmatched-runs", runs::unmatchedRuns));
        found.add(new Sweeps.Sweep("runs-out-of-time", SECOND, runs::runsOutOfTime));
        found.add(new Sweeps.Sweep("tree-stops", SECOND, () -> stopTree.goOn(desk)));
        found.add(patient("overdue-stops", runs::overdueStops));
        found.add(patient("unanswered-stops", runs::unansweredStops));
        found.add(new Sweeps.Sweep("callbacks", SECOND, new Topic.CallbackDue(), deliver::dueNow));
        found.add(new Sweeps.Sweep("held-callbacks", Duration.ofMinutes(1), deliver::heldTooLong));
        found.add(new Sweeps.Sweep("budgets", SECOND, () -> spending.timeRunsOut(desk)));
        found.add(new Sweeps.Sweep("joins", SECOND, join::timedOut));
        found.add(new Sweeps.Sweep("removals", SECOND, new Topic.RemovalDue(), removalSteps::goOn));
        found.add(
                new Sweeps.Sweep("backups", SECOND, new Topic.RemovalDue(), removalSteps::backUp));
        found.add(
                new Sweeps.Sweep("forgotten-looks", Duration.ofMinutes(5), lookAtWork::forgotten));
        found.add(new Sweeps.Sweep("releases", Duration.ofMinutes(10), handleTasks::retryReleases));
        found.add(new Sweeps.Sweep("strays", Duration.ofMinutes(10), strays()::takeAway));
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
                            desk.clock().instant().isBefore(awake.plus(settings.leases().run()));
                    return early ? 0 : work.getAsInt();
                });
    }

    /**
     * Expires leases. While this process slept, was suspended or could not write, no runner could
     * renew: then every lease first gets its full length again.
     */
    private int lostRuns(RunSweeps runs) {
        var now = desk.clock().instant();
        long failed = desk.transactions().failedWrites();
        if (looked.plus(SLEPT).isBefore(now) || failed != failedWrites) {
            renew.forgiveAbsence();
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
        var until = desk.clock().instant().minus(Bounds.IDEMPOTENCY_RETENTION);
        return desk.transactions()
                .write(() -> store.receipts().forgetUntil(until, ROWS_PER_SWEEP_MAX));
    }

    private int oldEvents(Duration keep) {
        var until = desk.clock().instant().minus(keep);
        return desk.transactions()
                .write(() -> store.journal().forgetUntil(until, ROWS_PER_SWEEP_MAX));
    }
}
