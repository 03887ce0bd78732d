package dev.coppice.runner.process;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * All processes of one run, except the supervisor, which stays to write down how the agent ended.
 * They are asked first, then killed, and looked for again until a look finds none.
 */
public final class Crew {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration KILL_MAX = Duration.ofSeconds(10);
    private static final Duration SUPERVISOR_MAX = Duration.ofSeconds(2);
    private static final int LOOKS = 3;
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));
    private final ReentrantLock ending = new ReentrantLock();
    private final String run;
    private final long supervisor;
    private final @Nullable StopSignal polite;
    private final Machine machine;
    private volatile Ending hardest = Ending.NOTHING_LEFT;

    /** The agent has ended at its polite word, whatever it took to end what it has left behind. */
    private volatile boolean agreed;

    /** The agent itself understands the polite word, where there is one. */
    Crew(String run, long supervisor, @Nullable StopSignal polite, Machine machine) {
        this.run = run;
        this.supervisor = supervisor;
        this.polite = polite;
        this.machine = machine;
    }

    /** What it took to end them. */
    public enum Ending {
        NOTHING_LEFT,
        ASKED,
        SIGTERM,
        SIGKILL
    }

    /**
     * What is left of an agent that has ended by itself. Where the kernel says that nobody is
     * inside that is taken for the truth, but for root, whose agents can leave their group, and as
     * long as the supervisor has somebody to stay for.
     */
    Ending endLeftovers(Duration grace) throws InterruptedException {
        boolean nobody = machine.containment().inside(run) == Containment.Inside.NOBODY;
        boolean isSure = nobody && !IS_ROOT && !isAlive(supervisor);
        return isSure ? Ending.NOTHING_LEFT : end(grace);
    }

    /** One process of a run, and what it is there for. */
    public record Member(long pid, String program, Part part) {}

    /** What a process is to its agent. */
    public enum Part {
        AGENT,
        /** Of those that the agent always keeps beside itself. */
        HELPER,
        /** Something that the agent has started, and that goes on. */
        CHILD
    }

    /**
     * Everyone but the supervisor and those that only hold the agent; nobody where nobody can be
     * counted. The agent stands {@code generations} below the supervisor.
     */
    List<Member> members(int generations, List<String> helpers) {
        if (!Census.isPossible() || supervisor == 0) return List.of();
        var count = machine.census().now();
        var agents = count.below(supervisor, generations);
        var present = new HashSet<>(machine.containment().members(run, supervisor, count));
        for (int i = 0; i < generations; i++) present.removeAll(count.below(supervisor, i));
        var found = new ArrayList<Member>();
        for (long pid : present) {
            var person = count.people().get(pid);
            if (person == null) continue;
            boolean helps = helpers.contains(person.stat().program());
            var part = agents.contains(pid) ? Part.AGENT : helps ? Part.HELPER : Part.CHILD;
            found.add(new Member(pid, person.stat().program(), part));
        }
        return found.stream().sorted(Comparator.comparingLong(Member::pid)).toList();
    }

    /** Whoever asks while others are at it waits until they are done. */
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

    /** Whether the agent went by itself when it was asked in its own way. */
    boolean hasAgreed() {
        return agreed;
    }

    /** What it took to end the agent, in the words in which such ends are reported. */
    String howItEnded() {
        if (agreed && polite != null) return polite.said();
        return hardest == Ending.SIGKILL ? "SIGKILL" : "SIGTERM";
    }

    private Ending endAll(Duration grace) throws InterruptedException {
        if (isGone()) return Ending.NOTHING_LEFT;
        // What is suspended would not hear the question.
        machine.containment().freeze(run, Containment.Freezing.THAW);
        wakeSupervisor();
        var present = alive();
        for (var process : present) Native.signal(process.pid(), Native.SIGCONT);
        var left = grace;
        if (polite != null && supervisor != 0) {
            left = grace.dividedBy(2);
            agreed = asked(polite, left);
            if (agreed && isGone()) return Ending.ASKED;
            present = alive();
        }
        present.forEach(ProcessHandle::destroy);
        if (isGoneWithin(left)) return Ending.SIGTERM;
        kill();
        return Ending.SIGKILL;
    }

    /** The polite word is for the agent alone: what it has started it may end in its own order. */
    private boolean asked(StopSignal word, Duration patience) throws InterruptedException {
        var agents = machine.census().now().below(supervisor, machine.containment().generations());
        for (var pid : agents) Native.signal(pid, word.number());
        long until = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < until) {
            if (agents.stream().noneMatch(Crew::isAlive)) return true;
            pause();
        }
        return false;
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()
                && !Census.isDead(pid);
    }

    private void kill() throws InterruptedException {
        long until = System.nanoTime() + KILL_MAX.toNanos();
        while (System.nanoTime() < until) {
            // Suspended first: what forks faster than it is killed gets no further.
            boolean atOnce = machine.containment().kill(run) || machine.containment().isCertain();
            if (!atOnce) suspendAll();
            killGroups();
            alive().forEach(ProcessHandle::destroyForcibly);
            pause();
            if (isGone()) return;
        }
        LOG.log(System.Logger.Level.WARNING, "{0}: {1} will not end", run, alive().size());
    }

    /**
     * Kills whole process groups: a signal to a group also reaches what was forked since the last
     * count. Groups in a supervisor's own session hold nobody but its descendants.
     */
    private void killGroups() {
        var above = supervisor == 0 ? null : Census.stat(supervisor);
        if (above == null || above.session() != supervisor) return;
        var groups = new HashSet<Long>();
        for (long pid : machine.census().now().below(supervisor)) {
            var stat = Census.stat(pid);
            if (stat != null && stat.group() > 1) groups.add(stat.group());
        }
        groups.remove(above.group());
        for (long group : groups) Native.signal(-group, Native.SIGKILL);
    }

    private boolean isAdopting() {
        return machine.supervisor().adopts()
                && isAlive(supervisor)
                && !Adopted.children(supervisor).isEmpty();
    }

    /**
     * Where the kernel holds them together, those inside and nobody who only carries their mark:
     * what made the space stands outside of it, and must see the end.
     */
    private void suspendAll() {
        boolean byMark = Census.isPossible() && !machine.containment().isCertain();
        int before = -1;
        int now = suspended(byMark);
        while (byMark && now > before) {
            before = now;
            now = suspended(byMark);
        }
        for (int i = 1; i < LOOKS; i++) suspended(false);
    }

    /** Suspends marked processes as they are met, then those found by descent; returns how many. */
    private int suspended(boolean byMark) {
        if (byMark) Census.suspend(run, supervisor);
        var present = alive();
        for (var process : present) Native.signal(process.pid(), Native.SIGSTOP);
        return present.size();
    }

    /** One look may miss what forks while it looks, so where that can be it takes several. */
    private boolean isGone() {
        // As long as the kernel knows of somebody nobody need be counted.
        if (machine.containment().inside(run) == Containment.Inside.SOMEBODY) return false;
        // Processes that fork too fast to be counted are still children of the supervisor.
        if (isAdopting()) return false;
        int looks = machine.containment().isCertain() ? 1 : LOOKS;
        for (int i = 0; i < looks; i++) if (!alive().isEmpty()) return false;
        return true;
    }

    private boolean isGoneWithin(Duration grace) throws InterruptedException {
        long until = System.nanoTime() + grace.toNanos();
        while (System.nanoTime() < until) {
            if (isGone()) return true;
            pause();
        }
        return isGone();
    }

    private Set<ProcessHandle> alive() {
        var found = new LinkedHashSet<ProcessHandle>();
        if (Census.isPossible()) {
            var count = machine.census().now();
            for (var pid : machine.containment().members(run, supervisor, count)) {
                ProcessHandle.of(pid).filter(ProcessHandle::isAlive).ifPresent(found::add);
            }
        } else if (supervisor != 0) {
            // All that the JDK alone can see: what hides from its parent is not found.
            ProcessHandle.of(supervisor).ifPresent(s -> s.descendants().forEach(found::add));
        }
        return found;
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
        if (machine.containment().freeze(run, freezing)) return;
        if (freezing == Containment.Freezing.FREEZE) {
            suspendAll();
        } else {
            for (var process : alive()) Native.signal(process.pid(), Native.SIGCONT);
        }
    }

    /** The runner never suspends a supervisor, but its agent can. */
    void wakeSupervisor() {
        if (supervisor != 0) Native.signal(supervisor, Native.SIGCONT);
    }

    List<String> limitsMet() {
        return machine.containment().limitsMet(run);
    }

    /** The supervisor has nothing left to wait for; it goes, or it is made to. */
    public void leave() {
        if (supervisor != 0) {
            ProcessHandle.of(supervisor)
                    .filter(ProcessHandle::isAlive)
                    .ifPresent(s -> {
                        try {
                            s.onExit().get(SUPERVISOR_MAX.toMillis(), TimeUnit.MILLISECONDS);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        } catch (java.util.concurrent.ExecutionException
                                | java.util.concurrent.TimeoutException _) {
                            // A supervisor that still has children ends after them.
                            if (!isAdopting()) s.destroyForcibly();
                        }
                    });
        }
        machine.containment().leave(run);
    }

    private static void pause() throws InterruptedException {
        boolean never = new CountDownLatch(1).await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        if (never) throw new IllegalStateException("nobody opens this latch");
    }
}
