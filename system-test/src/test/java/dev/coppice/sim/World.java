package dev.coppice.sim;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.audit.Act;
import dev.coppice.audit.AuditRecord;
import dev.coppice.budget.Amounts;
import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackFilter;
import dev.coppice.callback.CallbackPorts;
import dev.coppice.callback.Join;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.Leases;
import dev.coppice.held.HeldInventory;
import dev.coppice.held.HeldStore;
import dev.coppice.held.HeldTreeRows;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Inventory.Leftover;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalPlan;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.RemoveTree;
import dev.coppice.removal.RestoreTree;
import dev.coppice.removal.TreeRows;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.run.Holder;
import dev.coppice.run.Run;
import dev.coppice.run.RunFilter;
import dev.coppice.scene.Clock;
import dev.coppice.scene.PlainPrompting;
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.stop.TreeStop;
import dev.coppice.wiring.Rules;
import dev.coppice.wiring.Store;
import dev.coppice.word.BudgetPolicy;
import dev.coppice.word.Choice;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.JoinKind;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.WhenBusy;
import dev.coppice.work.InspectedWork;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A whole installation in one thread: the coordinator's rules on a store in memory, runners that
 * crash, pause and report too late, a network that loses and duplicates messages, clients that
 * start, resume and stop sessions, and a clock. One seed decides everything, so that every failure
 * is reproducible.
 */
public final class World implements Simulated {
    private static final int RUNNERS = 3;
    private static final int CALM_ROUNDS = 30;
    private static final int SESSIONS_MAX = 60;

    /** One in so many actions is interrupted, at one of {@link #STEPS_OF_ONE_MAX} steps. */
    private static final int DEATHS = 20;

    /** One in so many actions of removals is interrupted. */
    private static final int REMOVALS_BROKEN_OFF = 4;

    private static final int STEPS_OF_ONE_MAX = 80;

    /** Short enough that some callbacks are given up. */
    private static final CallbackPorts.Terms CALLBACKS =
            new CallbackPorts.Terms(2, Duration.ofSeconds(2), Duration.ofSeconds(90));

    private static final Limits LIMITS =
            Limits.NONE
                    .with(Limits.Kind.DEPTH, 6)
                    .with(Limits.Kind.CHILDREN, 6)
                    .with(Limits.Kind.DESCENDANTS, 30)
                    .with(Limits.Kind.RUNS, 12);

    private static final Act.Who WHO = new Act.Who("someone", "operator");

    /** Short enough that some removals are purged, and long enough that some are undone. */
    private static final Duration UNDO_WINDOW = Duration.ofMinutes(3);

    static final Rules.Terms TERMS =
            new Rules.Terms(
                    LIMITS,
                    Leases.DEFAULT,
                    CALLBACKS,
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    UNDO_WINDOW,
                    Choices.DEADLINE);

    private final Random random;
    private final Disk disk = new Disk();
    private final Map<RemovalId, List<Session>> snapshots = new HashMap<>();
    private @Nullable String lookedAt;
    private final Fault fault;
    private final Set<RemovalId> askedToPurge = new HashSet<>();
    private final Clock clock = new Clock();
    private final HeldStore store = new HeldStore(_ -> {});
    private final List<String> story = new ArrayList<>();
    private final List<SimRunner> runners = new ArrayList<>();
    private final List<Run> lostInStalls = new ArrayList<>();
    private final Journal followed;
    private final Ids ids;
    Rules rules;
    private @Nullable Holder reporter;
    private boolean starting;
    private int born;
    private boolean calming;
    private boolean calm;
    private int deaths;
    private int removalsBrokenOff;
    private @Nullable Report lastReport;

    private World(long seed, Fault fault) {
        this.random = new Random(seed);
        this.fault = fault;
        this.followed = fault.over(store.journal());
        this.ids = Ids.from(random);
        this.rules = coordinator();
        for (int i = 0; i < RUNNERS; i++) runners.add(new SimRunner(this, "r" + i, random));
    }

    public static World of(long seed) {
        return new World(seed, Fault.NONE);
    }

    static World of(long seed, Fault fault) {
        return new World(seed, fault);
    }

    /** A coordinator on ports that may contain the planted fault. */
    private Rules coordinator() {
        var sound = store.ports();
        var faulty =
                new Store(
                        sound.transactions(),
                        fault.over(sound.sessions(), this),
                        fault.over(sound.runs(), this),
                        sound.hookedRuns(),
                        sound.outside(),
                        sound.runners(),
                        fault.over(sound.callbacks()),
                        sound.joins(),
                        sound.treeStops(),
                        fault.over(sound.removals()),
                        fault.over(sound.audit()),
                        sound.treeRows(),
                        sound.inventory(),
                        sound.workplaces(),
                        fault.over(sound.tasks()),
                        sound.budgets(),
                        sound.accountHolds(),
                        sound.journal(),
                        sound.receipts(),
                        sound.signals());
        var outside =
                new Rules.Outside(
                        clock,
                        ids,
                        new PlainPrompting(),
                        (_, _, _) -> List.of(),
                        new SimBackups(disk, this::isFull, this::snapshot));
        return new Rules(faulty, outside, TERMS);
    }

    /**
     * The last report of a runner: whether it held the run then, and whether the report changed it.
     */
    public record Report(RunId run, Holder by, boolean held, boolean changedIt) {}

    @Override
    public void step() {
        lastReport = null;
        int what = random.nextInt(110);
        if (what < 14) tell("a session starts", this::startSession);
        else if (what < 22) tell("a session is resumed", this::resume);
        else if (what < 28) tell("a session is stopped", this::stop);
        else if (what < 30) tell("a tree is stopped", this::stopTree);
        else if (what < 36) tell("the sweeps run", this::sweep);
        else if (what < 45) tell("time passes", this::passTime);
        else if (what < 47) tell("the coordinator restarts", this::restart);
        else if (what < 54) tell("callbacks are delivered", this::deliver);
        else if (what < 57) tell("a message is sent", this::send);
        else if (what < 59) tell("children are joined", this::join);
        else if (what < 60) tell("a tree is frozen or thawed", this::freeze);
        else if (what < 61) tell("a budget is set or spent", this::spend);
        else if (what < 64) tellOfRemovals("a session is removed", this::remove);
        else if (what < 66) tellOfRemovals("a removal is undone or ended", this::takeBack);
        else if (what < 79) tellOfRemovals("removals advance", this::removalsGoOn);
        else if (what < 83) tellOfRemovals("backups are written", this::backUp);
        else if (what < 85) tellOfRemovals("a tree is restored", this::restore);
        else runners.get(random.nextInt(RUNNERS)).step();
    }

    void tell(String what, Supplier<String> happens) {
        tell(what, happens, DEATHS);
    }

    private void tellOfRemovals(String what, Supplier<String> happens) {
        int before = deaths;
        tell(what, happens, REMOVALS_BROKEN_OFF);
        boolean open = removals().stream().anyMatch(r -> !r.state().isOver());
        if (deaths > before && open) removalsBrokenOff++;
    }

    private void tell(String what, Supplier<String> happens, int oneIn) {
        if (!calming && random.nextInt(oneIn) == 0) {
            store.crashAtStep(1 + random.nextInt(STEPS_OF_ONE_MAX), fault == Fault.TORN);
        }
        story.add("%s %s: %s".formatted(clock.instant(), what, outcomeOf(happens)));
    }

    /** Performs the action. If the coordinator dies during it or just after, its answer is lost. */
    private String outcomeOf(Supplier<String> happens) {
        String answer;
        try {
            answer = happens.get();
        } catch (HeldStore.Died _) {
            answer = "no answer";
        }
        boolean died = store.hasFaultOccurred();
        store.clearFault();
        if (!died) return answer;
        deaths++;
        return answer + ", then the coordinator dies and restarts: " + restart();
    }

    private String startSession() {
        var all = sessions();
        if (all.size() >= SESSIONS_MAX) return "too many sessions";
        // Sometimes reuse a name whose session may be hidden.
        var name = "s" + (random.nextInt(8) == 0 ? random.nextInt(born + 1) : born++);
        var asked =
                all.isEmpty() || random.nextInt(4) == 0
                        ? Scene.named(name)
                        : Scene.below(any(all).name(), name);
        starting = true;
        try {
            var chosen = asked.unlessChosen(any(OnParentEnd.values()));
            return said(rules.startRun.start(chosen, Scene.order(any(ExecutionMode.values()))));
        } finally {
            starting = false;
        }
    }

    private String resume() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var claim =
                random.nextInt(5) == 0 ? ParentReference.of(any(all).id()) : ParentReference.NONE;
        return said(
                rules.startRun.resume(any(all).id(), claim, Scene.order(ExecutionMode.ASYNC_POLL)));
    }

    private String stop() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        return said(rules.stop.stop(any(all).id(), Duration.ofSeconds(5), "asked"));
    }

    private String stopTree() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var order = new TreeStop.Order(Duration.ofSeconds(5), "asked");
        return said(rules.stopTree.stop(rules.ports, any(all).id(), order));
    }

    private String sweep() {
        return expire()
                + " lost, "
                + rules.runSweeps.unmatchedRuns()
                + " unmatched, "
                + rules.runSweeps.overdueStops()
                + " stops overdue, "
                + rules.runSweeps.unansweredStops()
                + " unanswered, "
                + rules.runSweeps.runsOutOfTime()
                + " out of time, "
                + rules.spending.endOutOfTime(rules.ports)
                + " budgets told, "
                + rules.register.forgetVanished(Duration.ofMinutes(10))
                + " runners gone, "
                + rules.stopTree.retryStops(rules.ports)
                + " tree stops went on, "
                + rules.join.closeTimedOut()
                + " joins timed out";
    }

    /** Expires leases. Now and then the sweep waits long for the writer, as renewals do then. */
    private String expire() {
        var asked = clock.instant();
        if (random.nextInt(4) > 0) return rules.expireLeases.sweep(asked).toString();
        var stall = Duration.ofSeconds(random.nextInt(60));
        var held = held(asked);
        if (fault == Fault.STALL_UNNOTICED) {
            clock.pass(stall);
            asked = clock.instant();
        } else {
            store.beforeNextWrite(() -> clock.pass(stall));
        }
        var lost = rules.expireLeases.sweep(asked);
        held.removeIf(run -> isLeased(run.id()));
        lostInStalls.addAll(held);
        return lost + " after a stall of " + stall;
    }

    private List<Run> held(Instant at) {
        return new ArrayList<>(
                runs().stream()
                        .filter(run -> {
                            var lease = run.state().held();
                            return lease != null && !lease.until().isBefore(at);
                        })
                        .toList());
    }

    private boolean isLeased(RunId id) {
        return runs().stream().anyMatch(r -> r.id().equals(id) && r.state().held() != null);
    }

    /** The runs that lost a valid lease while nobody could renew it. */
    public List<Run> lostInStalls() {
        return List.copyOf(lostInStalls);
    }

    private String deliver() {
        return rules.deliver.deliverDue() + " woken, " + rules.deliver.giveUpHeld() + " given up";
    }

    private String send() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var message = new About.Message("hey", null, any(WhenBusy.values()));
        return said(rules.send.send(any(all).id(), message, Duration.ofSeconds(5)));
    }

    private String join() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var by = any(all).id();
        var below =
                all.stream().filter(s -> by.equals(s.place().parentId())).map(Session::id).toList();
        if (below.isEmpty()) return by + " has no children";
        var until = new Join.Until(any(JoinKind.values()), 1 + random.nextInt(below.size()));
        var patience = Duration.ofSeconds(1 + random.nextInt(120));
        return said(rules.join.open(by, below, until, patience));
    }

    private String freeze() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var top = any(all).id();
        return random.nextBoolean()
                ? top + " frozen: " + said(rules.freeze.freeze(top))
                : top + " thawed: " + said(rules.freeze.thaw(top));
    }

    /** The parent of a hidden session: the removal of the parent includes the hidden one. */
    private Optional<SessionId> aboveHidden() {
        return removals().stream()
                .filter(r -> r.state() instanceof RemovalState.Hidden)
                .flatMap(r -> Optional.ofNullable(r.top().parent()).stream())
                .filter(p -> store.read(() -> store.sessions().find(p)).isPresent())
                .findFirst();
    }

    private String remove() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var choices =
                new Choices(
                        any(Choice.Children.values()),
                        any(Choice.Running.values()),
                        Choice.Critical.REFUSE,
                        any(Choice.Purge.values()),
                        any(Choice.Unreachable.values()),
                        Duration.ofSeconds(20),
                        new Choices.Preservation(
                                any(Choice.Work.values()),
                                any(Choice.Backup.values()),
                                Choice.Ignored.LIST,
                                Choice.Directories.MADE));
        var top = random.nextInt(3) == 0 ? aboveHidden().orElse(any(all).id()) : any(all).id();
        var confirm = random.nextInt(3) == 0 ? confirmed(top, choices) : null;
        var request = new RemoveTree.Request(choices, WHO, null, confirm, worked(top, choices));
        return top + ", " + choices + ": " + said(rules.removeTree.begin(top, request));
    }

    /** The digest of the present plan, or sometimes the outdated one of an earlier plan. */
    private @Nullable String confirmed(SessionId top, Choices choices) {
        var planned = rules.planRemoval.plan(top, choices, worked(top, choices));
        var before = lookedAt;
        lookedAt = planned instanceof Outcome.Done<RemovalPlan>(var plan) ? plan.digest() : null;
        return random.nextInt(4) == 0 ? before : lookedAt;
    }

    /** The unsaved work that runners would find now. */
    private InspectedWork worked(SessionId top, Choices choices) {
        var all = Cursor.first(1000);
        return store.read(() -> {
            var sessions = store.sessions();
            var below = sessions.descendants(top, Bounds.TREE_DEPTH_MAX, all).items();
            boolean alone = choices.children() == Choice.Children.DETACH;
            var found =
                    Stream.concat(
                                    sessions.find(top).stream(),
                                    alone ? Stream.empty() : below.stream())
                            .flatMap(s -> store.tasks().placesOf(s.id()).stream())
                            .map(p -> found(p.host(), p.directory(), p.session().value()))
                            .toList();
            return InspectedWork.of(found, List.of());
        });
    }

    WorkItem found(String host, String directory, String whose) {
        return new WorkItem(
                host,
                directory,
                WorkItem.Kind.PLAIN,
                List.of(whose),
                new WorkItem.Counts(0, 0, 0, 0, 0, 0, 0),
                Integer.toString(disk.grown(Disk.at(host, directory))),
                new WorkItem.Tip(null, null),
                null,
                List.of(),
                List.of());
    }

    private void snapshot(Removal removal) {
        var sessions =
                store.read(() -> {
                    var members = store.removals().members(removal.id(), Cursor.first(1000));
                    return members.items().stream()
                            .flatMap(m -> store.sessions().find(m.id()).stream())
                            .toList();
                });
        snapshots.put(removal.id(), sessions);
    }

    /** Restores a backup. If the reader of the file dies half-way, the restore is rolled back. */
    private String restore() {
        var all =
                removals().stream()
                        .filter(r -> r.state() instanceof RemovalState.Purged)
                        .filter(r -> r.backup() != null && snapshots.containsKey(r.id()))
                        .toList();
        if (all.isEmpty()) return "there is no backup";
        var removal = all.get(random.nextInt(all.size()));
        var sessions = snapshots.getOrDefault(removal.id(), List.of());
        var named = sessions.stream().map(s -> new RestoreTree.Named(s.id(), s.name())).toList();
        var names = UndoRemoval.Names.RENAME;
        var backup = Objects.requireNonNull(removal.backup());
        var request = new RestoreTree.Request(removal.top(), 8, removal.taken(), backup, names);
        var begun = rules.restoreTree.begin(request, HeldTreeRows.fileContents(named), WHO);
        if (!(begun instanceof Outcome.Done<Removal>(var into))) return said(begun);
        for (var session : sessions) {
            if (random.nextInt(4 + sessions.size()) == 0) return "the reader of the file dies";
            var row = List.of(HeldTreeRows.row(session));
            rules.restoreTree.insertRows(into.id(), TreeRows.Table.SESSIONS, row);
        }
        var finished = rules.restoreTree.finish(into.id(), names, null);
        if (finished instanceof Outcome.Refused<Removal>) rules.restoreTree.broken(into.id());
        return removal.id() + " from its file: " + said(finished);
    }

    private String takeBack() {
        var all = removals().stream().filter(r -> !r.state().isOver()).toList();
        if (all.isEmpty()) return "nothing there";
        var hidden = all.stream().filter(r -> r.state() instanceof RemovalState.Hidden).toList();
        var some = hidden.isEmpty() || random.nextBoolean() ? all : hidden;
        var removal = some.get(random.nextInt(some.size()));
        boolean hides = removal.state() instanceof RemovalState.Hidden;
        if (hides && random.nextBoolean()) return purge(hidden);
        var outcome =
                hides
                        ? rules.undoRemoval.undo(removal.id(), any(UndoRemoval.Names.values()), WHO)
                        : rules.removeTree.cancel(removal.id(), WHO, "changed my mind");
        return removal.id() + ", " + removal.state().word() + ": " + said(outcome);
    }

    /** Purges a removal now, preferably one that includes other hidden removals. */
    private String purge(List<Removal> hidden) {
        var removal =
                hidden.stream()
                        .filter(r -> !store.read(() -> store.removals().hiddenBelow(r)).isEmpty())
                        .findFirst()
                        .orElse(hidden.getFirst());
        askedToPurge.add(removal.id());
        var outcome = rules.removeTree.purgeNow(removal.id(), WHO);
        if (outcome instanceof Outcome.Refused<Removal>) askedToPurge.remove(removal.id());
        return removal.id() + ", " + removal.state().word() + ", now: " + said(outcome);
    }

    public boolean isAskedToPurge(Removal removal) {
        return askedToPurge.contains(removal.id());
    }

    private String removalsGoOn() {
        return rules.removalSteps.advance() + " advanced";
    }

    private String backUp() {
        return rules.removalSteps.backUp() + " are written";
    }

    private boolean isFull() {
        return !calming && random.nextInt(3) == 0;
    }

    private String spend() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var id = any(all).id();
        if (random.nextInt(3) == 0) {
            var max = new Amounts(50L + random.nextInt(200), null, null, null, null);
            var policy = any(BudgetPolicy.values());
            return id + " may spend " + said(rules.spending.set(rules.ports, id, max, policy));
        }
        return store.write(() -> {
            rules.spending.spend(rules.ports, id, Amounts.spent(random.nextInt(40), 0, 0));
            return id + " spends";
        });
    }

    /** Lifts all budgets and thaws all sessions. */
    private String letAllGoOn() {
        for (var session : sessions()) {
            var budget = store.read(() -> store.budgets().budgetOf(session.id()));
            if (budget.isPresent()) {
                rules.spending.set(rules.ports, session.id(), Amounts.NONE, BudgetPolicy.REFUSE);
            }
            rules.freeze.thaw(session.id());
        }
        return "done";
    }

    /** Undoes about half of the hidden removals. */
    private String bringBack() {
        var hidden =
                removals().stream().filter(r -> r.state() instanceof RemovalState.Hidden).toList();
        return hidden.stream()
                .filter(_ -> random.nextBoolean())
                .map(r -> said(rules.undoRemoval.undo(r.id(), UndoRemoval.Names.RENAME, WHO)))
                .toList()
                .toString();
    }

    private String letGoAgain() {
        return store.write(() -> store.tasks().retryReleases(clock.instant())) + " retried";
    }

    @Override
    public void calm() {
        calming = true;
        tell("calm: some removals are undone", this::bringBack);
        for (int round = 0; round < CALM_ROUNDS; round++) {
            // In every round: a tree whose removal is being cancelled cannot be thawed yet.
            tell("calm: budgets are lifted, trees thawed", this::letAllGoOn);
            clock.pass(Duration.ofSeconds(20));
            tell("calm: the sweeps run", this::sweep);
            tell("calm: callbacks are delivered", this::deliver);
            tell("calm: removals advance", this::removalsGoOn);
            tell("calm: backups are written", this::backUp);
            tell("calm: failed releases are retried", this::letGoAgain);
            runners.forEach(SimRunner::behave);
        }
        calm = true;
    }

    public boolean isCalm() {
        return calm;
    }

    /** The number of crashes during an action of removals that left one unfinished. */
    int removalsBrokenOff() {
        return removalsBrokenOff;
    }

    /** The number of crashes of the coordinator, during an action or just after. */
    int deaths() {
        return deaths;
    }

    private String passTime() {
        var length = Duration.ofMillis(random.nextInt(12_000));
        clock.pass(length);
        return length.toString();
    }

    /** Restarts the coordinator after a pause, and extends leases that could not be renewed. */
    private String restart() {
        rules = coordinator();
        clock.pass(Duration.ofSeconds(random.nextInt(90)));
        int extended = rules.renew.extendAllLeases();
        return extended + " leases extended";
    }

    private <T> T any(T[] all) {
        return all[random.nextInt(all.length)];
    }

    private Session any(List<Session> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Performs a runner's report, and records whether the runner held the lease. */
    Outcome<Run> report(RunId run, Holder by, Supplier<Outcome<Run>> what) {
        var seen = store.read(() -> store.runs().find(run));
        // The session was removed while its runner was unreachable.
        if (seen.isEmpty()) return what.get();
        var before = seen.get();
        var lease = before.state().held();
        boolean held =
                lease != null
                        && lease.holder().equals(by)
                        && !clock.instant().isAfter(lease.until());
        reporter = by;
        try {
            var outcome = what.get();
            lastReport = new Report(run, by, held, !look(run).state().equals(before.state()));
            return outcome;
        } finally {
            reporter = null;
        }
    }

    private Run look(RunId run) {
        return store.read(() -> store.runs().find(run).orElseThrow());
    }

    static String said(Outcome<?> outcome) {
        return switch (outcome) {
            case Outcome.Done<?> _ -> "done";
            case Outcome.Refused<?>(var refusal) -> refusal.said();
        };
    }

    boolean isStarting() {
        return starting;
    }

    @Nullable Holder reporter() {
        return reporter;
    }

    Clock clock() {
        return clock;
    }

    public Optional<Report> lastReport() {
        return Optional.ofNullable(lastReport);
    }

    public List<Session> sessions() {
        return store.read(
                () -> store.sessions().list(SessionFilter.ALL, Cursor.first(1000)).items());
    }

    public List<Run> runs() {
        return store.read(() -> store.runs().list(RunFilter.ALL, Cursor.first(10_000)).items());
    }

    public List<Callback> callbacks() {
        return store.read(
                () -> store.callbacks().list(CallbackFilter.ALL, Cursor.first(10_000)).items());
    }

    public List<Join> joins() {
        return store.read(() -> store.joins().all());
    }

    boolean isHeld(RunId run, Holder by) {
        return store.read(() -> {
            var lease = store.runs().find(run).map(r -> r.state().held()).orElse(null);
            return lease != null && lease.holder().equals(by);
        });
    }

    <T> T write(Supplier<T> what) {
        return store.write(what);
    }

    void note(Workplace place) {
        store.tasks().note(place);
    }

    /** True if the agent may do this with the session. */
    public boolean reaches(SessionId agent, Need need, SessionId target) {
        var access = new Access(fault.over(store.sessions(), this), store.removals());
        return store.read(
                () -> access.session(Caller.agent(agent), need, target) instanceof Outcome.Done);
    }

    /** True if the backup file that the removal records exists. */
    public boolean isBackedUp(Removal removal) {
        var backup = removal.backup();
        return backup != null && disk.isBackedUp(removal.id().value(), backup.file());
    }

    /** The directories of all sessions, on all hosts. */
    Disk disk() {
        return disk;
    }

    /** Directories of a removal whose content is not preserved. */
    public List<String> unpreserved(Removal removal) {
        return store.read(() -> {
            var members = store.removals().members(removal.id(), Cursor.first(1000)).items();
            return members.stream()
                    .flatMap(m -> store.tasks().placesOf(m.id()).stream())
                    .map(p -> Disk.at(p.host(), p.directory()))
                    .filter(p -> !disk.isPreserved(removal.id().value(), p))
                    .toList();
        });
    }

    public List<AuditRecord> auditAfter(long number) {
        return store.read(() -> store.audit().after(number, null, Integer.MAX_VALUE));
    }

    public List<Removal> removals() {
        return store.read(() -> store.removals().everyOne());
    }

    /** Includes runs of hidden sessions. */
    public List<Run> allRuns() {
        return store.read(() -> store.removals().allRuns());
    }

    /** Runs of a removal that still have a process on some runner. */
    public List<RunId> atWork(Removal removal) {
        var running = runners.stream().flatMap(r -> r.running().stream()).toList();
        if (running.isEmpty()) return List.of();
        return store.read(() -> {
            var members = store.removals().members(removal.id(), Cursor.first(1000)).items();
            var ids = members.stream().map(Member::id).collect(Collectors.toSet());
            return running.stream()
                    .map(ClaimRun.Claim::run)
                    .filter(r -> ids.contains(r.session()))
                    .map(Run::id)
                    .toList();
        });
    }

    /** Rows that refer to something that no longer exists. */
    public List<Leftover> leftovers() {
        return store.read(() -> HeldInventory.leftovers(store));
    }

    /** Directories of purged sessions, and copies preserved for undone or cancelled removals. */
    public List<String> leftOnDisk() {
        return store.read(() -> {
            var all = store.removals().everyOne();
            var given =
                    all.stream()
                            .filter(r -> r.choices().unreachable() == Choice.Unreachable.ABANDON)
                            .flatMap(r -> members(r).stream())
                            .collect(Collectors.toSet());
            var left = new ArrayList<String>();
            for (var removal : all) {
                for (var id : members(removal)) {
                    boolean isGiven = given.contains(id);
                    for (var host : runners) {
                        var place = host.at(SimRunner.directory(id));
                        if (isCopied(removal, place)) left.add(removal.id() + " keeps " + place);
                        if (!isGiven && isThere(removal, id, place)) left.add(place);
                    }
                }
            }
            return left;
        });
    }

    private boolean isCopied(Removal removal, String place) {
        boolean isBack =
                removal.state() instanceof RemovalState.Undone
                        || removal.state() instanceof RemovalState.TakenBack;
        return isBack && disk.hasCopy(removal.id().value(), place);
    }

    /** True if the directory of a purged session exists and no choice allowed it to stay. */
    private boolean isThere(Removal removal, SessionId id, String place) {
        return removal.state() instanceof RemovalState.Purged
                && disk.grown(place) > 0
                && store.sessions().find(id).isEmpty()
                && !store.sessions().isHidden(id);
    }

    private List<SessionId> members(Removal removal) {
        var all = store.removals().members(removal.id(), Cursor.first(1000));
        return all.items().stream().map(Member::id).toList();
    }

    /** Runs that have a process on some runner, whatever the coordinator's state. */
    public List<RunId> atWork() {
        return runners.stream().flatMap(r -> r.atWork().stream()).toList();
    }

    public List<TreeStop> treeStops() {
        return store.read(() -> store.treeStops().all());
    }

    /** True if the session is {@code top} or below it. */
    public boolean isWithin(SessionId id, SessionId top) {
        return store.read(() -> store.sessions().isWithin(id, top));
    }

    public boolean isThere(SessionId id) {
        return store.read(() -> store.sessions().find(id)).isPresent();
    }

    public Optional<SessionId> parentOf(SessionId id) {
        return store.read(() -> store.sessions().find(id).map(s -> s.place().parentId()));
    }

    public List<Entry> entriesAfter(long number) {
        return store.read(() -> store.journal().after(number, Journal.Scope.ALL, 100_000));
    }

    /** True if the session was hidden, and a removal that is being undone brings it back. */
    public boolean isComingBack(SessionId id) {
        return store.read(() -> store.removals().of(id))
                .filter(removal -> removal.state() instanceof RemovalState.Undoing)
                .isPresent();
    }

    /** The entries that a follower of the journal receives. */
    public List<Entry> followed(long after) {
        return store.read(() -> followed.after(after, Journal.Scope.ALL, 100_000));
    }

    @Override
    public String story() {
        return String.join("\n", story);
    }
}
