package dev.coppice.runner.process;

import dev.coppice.client.Pause;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * All processes of one run, except the supervisor, which stays to record how the agent ended. They
 * are asked to end, then killed, and looked for again until a look finds none.
 */
public final class RunProcesses {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration TELL_AGAIN = Duration.ofMillis(100);
    private static final Duration KILL_MAX = Duration.ofSeconds(10);
    private static final Duration SUPERVISOR_MAX = Duration.ofSeconds(2);
    private static final int LOOKS = 3;
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));
    private final ReentrantLock ending = new ReentrantLock();
    private final RunGroup group;
    private final long supervisor;
    private final @Nullable StopSignal polite;
    private final Machine machine;
    private volatile Ending hardest = Ending.NOTHING_LEFT;

    /** True once a count found processes and a later one none: no process is left to fork. */
    private volatile boolean isOver;

    /** True if the agent ended at its stop signal, however its leftovers were ended. */
    private volatile boolean agreed;

    /** {@code polite} is the stop signal that the agent handles itself, if it has one. */
    RunProcesses(RunGroup group, long supervisor, @Nullable StopSignal polite, Machine machine) {
        this.group = group;
        this.supervisor = supervisor;
        this.polite = polite;
        this.machine = machine;
    }

    /** Returns processes with this mark that have no group. */
    static RunProcesses strays(String mark, Machine machine) {
        return new RunProcesses(RunGroup.of(mark), 0, null, machine);
    }

    /** The means that ended the processes, from mild to hard. */
    public enum Ending {
        NOTHING_LEFT,
        ASKED,
        SIGTERM,
        SIGKILL
    }

    /**
     * Ends the processes that remain when the agent has ended by itself. Skips the look if the
     * kernel reports an empty group and the supervisor is gone, except as root, whose agents can
     * leave their group.
     */
    Ending endLeftovers(Duration grace) throws InterruptedException {
        boolean isEmpty =
                machine.containment().occupancy(group.name()) == Containment.Occupancy.EMPTY;
        boolean isSure = isEmpty && !IS_ROOT && !isAlive(supervisor);
        return isSure ? Ending.NOTHING_LEFT : end(grace);
    }

    public record Member(long pid, String program) {}

    /**
     * Returns the processes, except the supervisor and those between it and the agent, which is
     * {@code generations} levels below. Empty if processes cannot be counted.
     */
    List<Member> members(int generations) {
        if (!ProcessTable.isPossible() || supervisor == 0) return List.of();
        var count = machine.processTable().now();
        var present = new HashSet<>(machine.containment().members(group, supervisor, count));
        for (int i = 0; i < generations; i++) present.removeAll(count.below(supervisor, i));
        var found = new ArrayList<Member>();
        for (long pid : present) {
            var info = count.processes().get(pid);
            if (info != null) found.add(new Member(pid, info.stat().program()));
        }
        return found.stream().sorted(Comparator.comparingLong(Member::pid)).toList();
    }

    /** Ends all processes. Concurrent calls wait for each other. */
    public Ending end(Duration grace) throws InterruptedException {
        ending.lockInterruptibly();
        try {
            var how = endAll(grace);
            if (how.compareTo(hardest) > 0) hardest = how;
            return how;
        } finally {
            ending.unlock();
        }
    }

    /** True if the agent ended at its own stop signal. */
    boolean endedOnStopSignal() {
        return agreed;
    }

    /** Returns the name of the signal that ended the agent, as it is reported. */
    String howItEnded() {
        if (agreed && polite != null) return polite.said();
        return hardest == Ending.SIGKILL ? "SIGKILL" : "SIGTERM";
    }

    private Ending endAll(Duration grace) throws InterruptedException {
        if (isOver || isGone()) return Ending.NOTHING_LEFT;
        // A suspended process cannot handle a signal: resume all first.
        machine.containment().freeze(group.name(), Containment.Freezing.THAW);
        wakeSupervisor();
        var present = alive();
        var how = asked(present, grace);
        isOver = how.isPresent() ? !present.isEmpty() : killed();
        return how.orElse(Ending.SIGKILL);
    }

    /** Asks the processes to end, and returns how they ended; empty if some are still there. */
    private Optional<Ending> asked(Set<ProcessHandle> seen, Duration grace)
            throws InterruptedException {
        var present = seen;
        for (var process : present) Native.signal(process.pid(), Native.SIGCONT);
        var left = grace;
        if (polite != null && supervisor != 0) {
            left = grace.dividedBy(2);
            agreed = asked(polite, left);
            if (agreed && isGone()) return Optional.of(Ending.ASKED);
            present = alive();
        }
        return areGoneWithin(left, present) ? Optional.of(Ending.SIGTERM) : Optional.empty();
    }

    /**
     * Signals the agent alone, so that it can end its own processes first; true if it ended in
     * time.
     */
    private boolean asked(StopSignal signal, Duration patience) throws InterruptedException {
        var agents =
                machine.processTable().now().below(supervisor, machine.containment().agentDepth());
        for (var pid : agents) Native.signal(pid, signal.number());
        long until = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < until) {
            if (agents.stream().noneMatch(RunProcesses::isAlive)) return true;
            Pause.of(LOOK);
        }
        return false;
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()
                && !ProcessInfo.isDead(pid);
    }

    /** True if no process survives. */
    private boolean killed() throws InterruptedException {
        long until = System.nanoTime() + KILL_MAX.toNanos();
        while (System.nanoTime() < until) {
            // Suspend first: a process could fork faster than it is killed.
            boolean atOnce =
                    machine.containment().kill(group.name()) || machine.containment().isCertain();
            if (!atOnce) suspendAll();
            killGroups();
            alive().forEach(ProcessHandle::destroyForcibly);
            Pause.of(LOOK);
            if (isGone()) return true;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}: {1} processes survive",
                group.run(),
                alive().size());
        return false;
    }

    /**
     * Kills whole process groups: a signal to a group also reaches processes forked since the last
     * count. Groups in a supervisor's own session contain only its descendants.
     */
    private void killGroups() {
        var above = supervisor == 0 ? null : ProcessInfo.stat(supervisor);
        if (above == null || above.session() != supervisor) return;
        var groups = new HashSet<Long>();
        for (long pid : machine.processTable().now().below(supervisor)) {
            var stat = ProcessInfo.stat(pid);
            if (stat != null && stat.group() > 1) groups.add(stat.group());
        }
        groups.remove(above.group());
        for (long group : groups) Native.signal(-group, Native.SIGKILL);
    }

    private boolean isAdopting() {
        return machine.supervisor().adopts()
                && isAlive(supervisor)
                && !AdoptedOrphans.children(supervisor).isEmpty();
    }

    /**
     * Suspends all processes. If the kernel holds them together, skips processes outside that only
     * carry the mark: the one that created the namespace must see its end.
     */
    private void suspendAll() {
        boolean byMark = ProcessTable.isPossible() && !machine.containment().isCertain();
        int before = -1;
        int now = suspended(byMark);
        while (byMark && now > before) {
            before = now;
            now = suspended(byMark);
        }
        for (int i = 1; i < LOOKS; i++) suspended(false);
    }

    /** Suspends marked processes as they are met, then all members, and returns their number. */
    private int suspended(boolean byMark) {
        if (byMark) ProcessTable.suspend(group.run(), supervisor);
        var present = alive();
        for (var process : present) Native.signal(process.pid(), Native.SIGSTOP);
        return present.size();
    }

    /**
     * True if no process is left. One look can miss a process that forks meanwhile, so uncertain
     * containments take several.
     */
    private boolean isGone() {
        // The kernel knows of a process: no count is needed.
        if (machine.containment().occupancy(group.name()) == Containment.Occupancy.OCCUPIED)
            return false;
        // Processes that fork too fast to be counted are still children of the supervisor.
        if (isAdopting()) return false;
        int looks = machine.containment().isCertain() ? 1 : LOOKS;
        for (int i = 0; i < looks; i++) if (!alive().isEmpty()) return false;
        return true;
    }

    /**
     * Sends SIGTERM to these processes, and once to each that they start meanwhile; true if none is
     * left in time.
     */
    private boolean areGoneWithin(Duration grace, Set<ProcessHandle> present)
            throws InterruptedException {
        present.forEach(ProcessHandle::destroy);
        var told = new HashSet<>(present);
        long now = System.nanoTime();
        long until = now + grace.toNanos();
        long toldAt = now;
        while (now < until) {
            if (isGone()) return true;
            lookAgain();
            now = System.nanoTime();
            if (now - toldAt < TELL_AGAIN.toNanos()) continue;
            toldAt = now;
            alive().stream().filter(told::add).forEach(ProcessHandle::destroy);
        }
        return isGone();
    }

    /**
     * Waits a moment, or until the supervisor ends, which it does when nothing is left below it.
     */
    private void lookAgain() throws InterruptedException {
        var end = supervisor == 0 ? null : ProcessHandle.of(supervisor).map(ProcessHandle::onExit);
        if (end == null || end.isEmpty() || end.get().isDone()) {
            Pause.of(LOOK);
            return;
        }
        try {
            end.get().get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException _) {
            // The supervisor is still there.
        }
    }

    private Set<ProcessHandle> alive() {
        var found = new LinkedHashSet<ProcessHandle>();
        if (ProcessTable.isPossible()) {
            var count = machine.processTable().now();
            for (var pid : machine.containment().members(group, supervisor, count)) {
                ProcessHandle.of(pid).filter(ProcessHandle::isAlive).ifPresent(found::add);
            }
        } else if (supervisor != 0) {
            // Without /proc only descendants are visible; a detached process is missed.
            ProcessHandle.of(supervisor).ifPresent(s -> s.descendants().forEach(found::add));
        }
        return found;
    }

    /** True if one count finds no process. */
    boolean isEmpty() {
        return alive().isEmpty();
    }

    void freeze(Supplier<Containment.Freezing> wanted) throws InterruptedException {
        ending.lockInterruptibly();
        try {
            freeze(wanted.get());
        } finally {
            ending.unlock();
        }
    }

    private void freeze(Containment.Freezing freezing) {
        if (machine.containment().freeze(group.name(), freezing)) return;
        if (freezing == Containment.Freezing.FREEZE) {
            suspendAll();
        } else {
            for (var process : alive()) Native.signal(process.pid(), Native.SIGCONT);
        }
    }

    /** Resumes the supervisor. The runner never suspends it, but its agent can. */
    void wakeSupervisor() {
        if (supervisor != 0) Native.signal(supervisor, Native.SIGCONT);
    }

    List<String> limitsReached() {
        return machine.containment().limitsReached(group.name());
    }

    /** Waits for the supervisor to end, kills it if it does not, and removes the containment. */
    public void cleanUp() {
        if (supervisor != 0) {
            ProcessHandle.of(supervisor)
                    .filter(ProcessHandle::isAlive)
                    .ifPresent(s -> {
                        try {
                            s.onExit().get(SUPERVISOR_MAX.toMillis(), TimeUnit.MILLISECONDS);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        } catch (ExecutionException | TimeoutException _) {
                            // A supervisor that still has children ends after them.
                            if (!isAdopting()) s.destroyForcibly();
                        }
                    });
        }
        machine.containment().cleanUp(group.name());
    }
}
