package dev.coppice.held;

import dev.coppice.journal.Entry;
import dev.coppice.kernel.Receipts.Receipt;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Signals;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.wiring.Store;
import dev.coppice.work.WorkItem;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store in memory. Transactions are atomic: each works on a copy, which replaces the state at
 * commit. Only one runs at a time, like SQLite's writer.
 */
public final class HeldStore implements Transactions, Signals {
    private final Consumer<Topic> onCommit;
    private State state = new State();
    private @Nullable State working;
    private final Set<Topic> topics = new LinkedHashSet<>();
    private @Nullable Death death;
    private boolean nextAnswer;

    public HeldStore(Consumer<Topic> onCommit) {
        this.onCommit = onCommit;
    }

    /** The whole state. The values are immutable, so copying the maps is enough. */
    static final class State {
        final TreeMap<Long, HeldSession> sessions = new TreeMap<>();
        final TreeMap<Long, HeldRun> runs = new TreeMap<>();
        final TreeMap<String, dev.coppice.fleet.Runner> runners = new TreeMap<>();
        final TreeMap<Long, Entry> entries = new TreeMap<>();

        /** Numbers of entries that were written while their session had no visible row. */
        final TreeSet<Long> withoutSession = new TreeSet<>();

        final TreeMap<Long, dev.coppice.callback.Callback> callbacks = new TreeMap<>();
        final TreeMap<String, dev.coppice.callback.Join> joins = new TreeMap<>();
        final TreeMap<String, HeldTreeStops.HeldStop> stops = new TreeMap<>();
        final TreeMap<String, dev.coppice.budget.Budget> budgets = new TreeMap<>();
        final TreeMap<String, dev.coppice.budget.Amounts> spent = new TreeMap<>();
        final TreeMap<String, dev.coppice.fleet.AccountHold> holds = new TreeMap<>();
        final TreeMap<String, Long> outputBytes = new TreeMap<>();
        final TreeMap<String, Integer> corrections = new TreeMap<>();

        /** The runs that are set aside, and for which session. */
        final TreeMap<String, String> aside = new TreeMap<>();

        final TreeMap<String, String> hooks = new TreeMap<>();
        final TreeMap<String, String> followers = new TreeMap<>();
        final TreeMap<String, dev.coppice.outside.OutsideProcess> outside = new TreeMap<>();
        final TreeMap<String, Instant> lastOutput = new TreeMap<>();
        final TreeMap<String, java.time.Duration> excludedTime = new TreeMap<>();
        final TreeMap<String, HeldRemovals.HeldRemoval> removals = new TreeMap<>();
        final TreeMap<String, HeldRemovals.HiddenRows> hidden = new TreeMap<>();
        final List<dev.coppice.audit.AuditRecord> audit = new ArrayList<>();
        final TreeMap<Long, dev.coppice.work.Workplace> places = new TreeMap<>();
        final TreeMap<String, List<WorkItem.State>> confirmedWork = new TreeMap<>();
        final TreeMap<Long, HeldDirectoryTasks.HeldTask> tasks = new TreeMap<>();
        final List<Receipt> receipts = new ArrayList<>();
        long lastKey;
        long lastNumber;
        long deletedUpTo;

        State copy() {
            var copy = new State();
            copy.sessions.putAll(sessions);
            copy.runs.putAll(runs);
            copy.runners.putAll(runners);
            copy.entries.putAll(entries);
            copy.withoutSession.addAll(withoutSession);
            copy.callbacks.putAll(callbacks);
            copy.joins.putAll(joins);
            copy.stops.putAll(stops);
            copy.budgets.putAll(budgets);
            copy.spent.putAll(spent);
            copy.holds.putAll(holds);
            copy.outputBytes.putAll(outputBytes);
            copy.corrections.putAll(corrections);
            copy.aside.putAll(aside);
            copy.hooks.putAll(hooks);
            copy.followers.putAll(followers);
            copy.outside.putAll(outside);
            copy.lastOutput.putAll(lastOutput);
            copy.excludedTime.putAll(excludedTime);
            copy.removals.putAll(removals);
            copy.hidden.putAll(hidden);
            copy.audit.addAll(audit);
            copy.places.putAll(places);
            copy.confirmedWork.putAll(confirmedWork);
            copy.tasks.putAll(tasks);
            copy.receipts.addAll(receipts);
            copy.lastKey = lastKey;
            copy.lastNumber = lastNumber;
            copy.deletedUpTo = deletedUpTo;
            return copy;
        }
    }

    record HeldSession(dev.coppice.session.Session session, long key) {}

    record HeldRun(dev.coppice.run.Run run, long key, long fence, @Nullable Instant waiting) {}

    private @Nullable Runnable stall;

    /** Runs this before the next write, as if that had waited for the writer meanwhile. */
    public void beforeNextWrite(Runnable meanwhile) {
        stall = meanwhile;
    }

    @Override
    public synchronized <T extends @Nullable Object> T write(Supplier<T> work) {
        if (working != null) return work.get();
        if (stall != null) stall.run();
        stall = null;
        working = state.copy();
        T value;
        List<Topic> raised;
        try {
            value = WriteUnderWay.during(work);
            state = working;
            raised = List.copyOf(topics);
        } catch (Died e) {
            if (e.isTorn()) state = working;
            throw e;
        } finally {
            working = null;
            topics.clear();
        }
        // A crash here is after the commit: the caller gets no answer.
        if (death != null) death.step();
        raised.forEach(onCommit);
        return value;
    }

    @Override
    public synchronized <T extends @Nullable Object> T read(Supplier<T> work) {
        return write(work);
    }

    /** Answers true and false in turn, so that tests take both branches. */
    @Override
    public boolean othersWait() {
        nextAnswer = !nextAnswer;
        return nextAnswer;
    }

    /** Crashes at the n-th step from now. A step is a call of a port, or a commit. */
    public void crashAtStep(int step, boolean torn) {
        death = new Death(step, new Died(torn));
    }

    /** Fails the n-th step from now, once. */
    public void failAtStep(int step) {
        death = new Death(step, new Failed());
    }

    /** True if the crash or failure occurred, even if the exception was caught. */
    public boolean hasFaultOccurred() {
        return death != null && death.left <= 0;
    }

    public void clearFault() {
        death = null;
    }

    private static final class Death {
        private final RuntimeException how;
        private int left;

        Death(int steps, RuntimeException how) {
            this.left = steps;
            this.how = how;
        }

        /** After a crash every further step fails too, even if the exception was caught. */
        void step() {
            left--;
            if (left == 0 || (left < 0 && how instanceof Died)) throw how;
        }
    }

    /** A crash of the process between two steps. */
    public static final class Died extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final boolean torn;

        Died(boolean torn) {
            super("died");
            this.torn = torn;
        }

        /** True if the changes so far remain: a defect that the invariants have to detect. */
        boolean isTorn() {
            return torn;
        }
    }

    /** A single failure of the store. */
    public static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failed() {
            super("simulated failure of the disk");
        }
    }

    @Override
    public void raise(Topic topic) {
        topics.add(topic);
    }

    State now() {
        if (working == null) {
            throw new IllegalStateException("a port was used outside of a transaction");
        }
        if (death != null) death.step();
        return working;
    }

    /** This store behind the ports of the core. Its inventory finds nothing: see HeldInventory. */
    public Store ports() {
        return new Store(
                this,
                sessions(),
                runs(),
                new HeldHookedRuns(this),
                new HeldOutsideProcesses(this),
                runners(),
                callbacks(),
                joins(),
                treeStops(),
                removals(),
                audit(),
                new HeldTreeRows(this),
                new NothingLeft(List.of()),
                tasks(),
                tasks(),
                budgets(),
                accountHolds(),
                journal(),
                receipts(),
                this);
    }

    public HeldSessions sessions() {
        return new HeldSessions(this);
    }

    public HeldRemovals removals() {
        return new HeldRemovals(this);
    }

    public HeldDirectoryTasks tasks() {
        return new HeldDirectoryTasks(this);
    }

    public HeldAudit audit() {
        return new HeldAudit(this);
    }

    public HeldRuns runs() {
        return new HeldRuns(this);
    }

    public HeldRunners runners() {
        return new HeldRunners(this);
    }

    public HeldJournal journal() {
        return new HeldJournal(this);
    }

    public HeldCallbacks callbacks() {
        return new HeldCallbacks(this);
    }

    public HeldJoins joins() {
        return new HeldJoins(this);
    }

    public HeldTreeStops treeStops() {
        return new HeldTreeStops(this);
    }

    public HeldBudgets budgets() {
        return new HeldBudgets(this);
    }

    public HeldAccountHolds accountHolds() {
        return new HeldAccountHolds(this);
    }

    public HeldReceipts receipts() {
        return new HeldReceipts(this);
    }

    @Nullable HeldSession held(SessionId id) {
        for (var held : now().sessions.values()) if (held.session().id().equals(id)) return held;
        return null;
    }

    @Nullable HeldRun held(RunId id) {
        for (var held : now().runs.values()) if (held.run().id().equals(id)) return held;
        return null;
    }

    boolean isFrozen(SessionId id) {
        var session = held(id);
        return session != null && session.session().standing().frozen() != null;
    }

    static boolean isOf(dev.coppice.run.Run run, RunnerId runner) {
        var lease = run.state().held();
        return lease != null && lease.holder().runner().equals(runner);
    }
}
