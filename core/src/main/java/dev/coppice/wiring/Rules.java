package dev.coppice.wiring;

import dev.coppice.access.Access;
import dev.coppice.budget.Spending;
import dev.coppice.callback.CallbackPorts;
import dev.coppice.callback.CloseChildren;
import dev.coppice.callback.DeliverCallbacks;
import dev.coppice.callback.JoinChildren;
import dev.coppice.callback.OweCallbacks;
import dev.coppice.callback.Prompting;
import dev.coppice.callback.RetryCallback;
import dev.coppice.callback.SendMessage;
import dev.coppice.callback.SettleRemoved;
import dev.coppice.callback.TakeMessages;
import dev.coppice.fleet.Breaker;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.ExpireLeases;
import dev.coppice.fleet.Leases;
import dev.coppice.fleet.LookAfter;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.fleet.RenewLeases;
import dev.coppice.fleet.WatchProcesses;
import dev.coppice.kernel.Ids;
import dev.coppice.removal.Backups;
import dev.coppice.removal.CriticalOperations;
import dev.coppice.removal.PlanRemoval;
import dev.coppice.removal.RemovalAudit;
import dev.coppice.removal.RemovalMoves;
import dev.coppice.removal.RemoveTree;
import dev.coppice.removal.RestoreTree;
import dev.coppice.removal.Retention;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.removal.step.RemovalSteps;
import dev.coppice.run.LifecycleListeners;
import dev.coppice.run.Ports;
import dev.coppice.run.ReportEvent;
import dev.coppice.run.ReportRun;
import dev.coppice.run.RunSweeps;
import dev.coppice.run.StartRun;
import dev.coppice.session.AttachRoot;
import dev.coppice.session.Limits;
import dev.coppice.session.SessionJournal;
import dev.coppice.session.StartSession;
import dev.coppice.session.TreeQuota;
import dev.coppice.stop.FreezeTree;
import dev.coppice.stop.StopSession;
import dev.coppice.stop.StopTree;
import dev.coppice.work.HandleTasks;
import dev.coppice.work.InspectWork;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Every command and sweep on one store. The coordinator, the simulation and the tests use this
 * wiring, so that they run the same rules.
 */
public final class Rules {
    private static final Duration STALE_AFTER = Duration.ofMinutes(2);

    public final Store store;
    public final Ports ports;
    public final CallbackPorts callbackPorts;
    public final Access access;
    public final Spending spending;
    public final Breaker breaker;
    public final StartSession startSession;
    public final AttachRoot attachRoot;
    public final StartRun startRun;
    public final ReportRun report;
    public final ReportEvent reportEvent;
    public final RunSweeps runSweeps;
    public final StopSession stop;
    public final StopTree stopTree;
    public final FreezeTree freeze;
    public final RegisterRunner register;
    public final LookAfter lookAfter;
    public final WatchProcesses watchProcesses;
    public final ClaimRun claim;
    public final RenewLeases renew;
    public final ExpireLeases expireLeases;
    public final DeliverCallbacks deliver;
    public final JoinChildren join;
    public final SendMessage send;
    public final TakeMessages take;
    public final RetryCallback retryCallback;
    public final InspectWork inspectWork;
    public final HandleTasks handleTasks;
    public final PlanRemoval planRemoval;
    public final RemoveTree removeTree;
    public final RemovalSteps removalSteps;
    public final UndoRemoval undoRemoval;
    public final RestoreTree restoreTree;
    public final Retention retention;
    private final RemovalAudit removalAudit;
    private final RemovalMoves removalMoves;
    private final SettleRemoved settleRemoved;

    /** The collaborators of the rules besides the store. */
    public record Outside(
            InstantSource clock,
            Ids ids,
            Prompting prompting,
            CriticalOperations critical,
            Backups backups) {}

    /** The times and limits that can be configured. */
    public record Terms(
            Limits limits,
            Leases leases,
            CallbackPorts.Terms callbacks,
            Duration quotaWait,
            Duration unmatchedAfter,
            Duration undoWindow,
            Duration removalDeadline) {

        public Terms with(Limits other) {
            return new Terms(
                    other,
                    leases,
                    callbacks,
                    quotaWait,
                    unmatchedAfter,
                    undoWindow,
                    removalDeadline);
        }
    }

    public Rules(Store store, Outside outside, Terms terms) {
        var ids = outside.ids();
        this.store = store;
        this.callbackPorts =
                new CallbackPorts(
                        store.callbacks(), store.joins(), store.journal(), ids, terms.callbacks());
        this.stopTree = new StopTree(store.treeStops(), ids);
        this.spending = new Spending(store.budgets(), stopTree);
        this.breaker = new Breaker(store.accountHolds(), terms.quotaWait());
        this.ports = ports(store, outside.clock(), terms.limits());
        this.access = new Access(store.sessions(), store.removals());
        this.startSession = startSession(ids);
        this.attachRoot =
                new AttachRoot(ports.sessions(), ports.journal(), ports.room(), ports.clock());
        this.startRun = new StartRun(ports, startSession, terms.unmatchedAfter(), ids);
        this.report = new ReportRun(ports);
        this.reportEvent = new ReportEvent(ports);
        this.runSweeps = new RunSweeps(ports);
        this.stop = new StopSession(ports);
        this.freeze = new FreezeTree(ports);
        this.register = new RegisterRunner(ports, store.runners(), STALE_AFTER);
        this.lookAfter =
                new LookAfter(
                        store.sessions(),
                        store.runners(),
                        store.workplaces(),
                        new SessionJournal(store.journal(), ports.clock()));
        this.watchProcesses = new WatchProcesses(ports, lookAfter);
        this.claim = new ClaimRun(ports, store.runners(), terms.leases(), breaker);
        this.renew = new RenewLeases(ports, store.runners(), terms.leases());
        this.expireLeases = new ExpireLeases(ports, renew, runSweeps);
        this.deliver = new DeliverCallbacks(ports, callbackPorts, startRun, outside.prompting());
        this.join = new JoinChildren(ports, callbackPorts);
        this.send = new SendMessage(ports, callbackPorts);
        this.take = new TakeMessages(ports, callbackPorts);
        this.retryCallback = new RetryCallback(ports, callbackPorts);
        this.inspectWork = new InspectWork(ports, store.tasks());
        this.handleTasks = new HandleTasks(ports, store.tasks());
        this.planRemoval =
                new PlanRemoval(
                        ports,
                        store.removals(),
                        store.callbacks(),
                        outside.critical(),
                        store.workplaces());
        this.removalAudit = new RemovalAudit(store.audit(), ports.clock());
        this.removalMoves = new RemovalMoves(ports, store.removals(), removalAudit);
        this.settleRemoved = new SettleRemoved(callbackPorts);
        this.removeTree = removeTree(ids);
        this.removalSteps = removalSteps(outside.backups(), terms.undoWindow());
        this.undoRemoval = undoRemoval();
        this.restoreTree = restoreTree(ids);
        this.retention = retention(terms.removalDeadline());
    }

    private Ports ports(Store store, InstantSource clock, Limits limits) {
        var listeners =
                List.of(
                        new OweCallbacks(callbackPorts),
                        new CloseChildren(callbackPorts),
                        spending,
                        breaker,
                        stopTree);
        return new Ports(
                store.transactions(),
                store.sessions(),
                store.runs(),
                store.hookedRuns(),
                store.outside(),
                store.journal(),
                store.signals(),
                new LifecycleListeners(listeners),
                spending,
                new TreeQuota(store.sessions(), limits),
                clock);
    }

    private RemoveTree removeTree(Ids ids) {
        return new RemoveTree(
                ports,
                store.removals(),
                store.workplaces(),
                planRemoval,
                removalAudit,
                removalMoves,
                ids);
    }

    private RemovalSteps removalSteps(Backups backups, Duration undoWindow) {
        return new RemovalSteps(
                ports,
                store.removals(),
                removalAudit,
                removalMoves,
                planRemoval,
                store.tasks(),
                store.workplaces(),
                backups,
                settleRemoved,
                spending,
                stopTree,
                undoWindow);
    }

    private RestoreTree restoreTree(Ids ids) {
        return new RestoreTree(
                ports,
                store.removals(),
                store.treeRows(),
                removalAudit,
                removalMoves,
                settleRemoved,
                ids);
    }

    private StartSession startSession(Ids ids) {
        return new StartSession(
                ports.transactions(),
                ports.sessions(),
                ports.journal(),
                ports.room(),
                ports.clock(),
                ids);
    }

    private UndoRemoval undoRemoval() {
        return new UndoRemoval(
                ports, store.removals(), removalAudit, removalMoves, settleRemoved, spending);
    }

    private Retention retention(Duration deadline) {
        return new Retention(
                ports.transactions(), store.removals(), removeTree, ports.clock(), deadline);
    }
}
