package dev.coppice.runner.process;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * All processes of one run, except the supervisor, which stays to write down how the agent ended.
 * They are asked first, then killed, and looked for again until a look finds none.
 */
public final class Crew {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration KILL_MAX = Duration.ofSeconds(10);
    private static final Duration SUPERVISOR_MAX = Duration.ofSeconds(2);
    private final String run;
    private final long supervisor;
    private final Machine machine;

    Crew(String run, long supervisor, Machine machine) {
        this.run = run;
        this.supervisor = supervisor;
        this.machine = machine;
    }

    /** What it took to end them. */
    public enum Ending {
        NOTHING_LEFT,
        SIGTERM,
        SIGKILL
    }

    public Ending end(Duration grace) throws InterruptedException {
        var there = alive();
        if (there.isEmpty()) return Ending.NOTHING_LEFT;
        // What is suspended would not hear the question.
        machine.containment().freeze(run, Containment.Freezing.THAW);
        for (var process : there) {
            Native.signal(process.pid(), Native.SIGCONT);
            process.destroy();
        }
        if (goneWithin(grace)) return Ending.SIGTERM;
        kill();
        return Ending.SIGKILL;
    }

    private void kill() throws InterruptedException {
        long until = System.nanoTime() + KILL_MAX.toNanos();
        var left = alive();
        while (!left.isEmpty() && System.nanoTime() < until) {
            // Suspended first: what forks faster than it is killed gets no further.
            if (!machine.containment().kill(run)) suspendAll(left);
            left.forEach(ProcessHandle::destroyForcibly);
            pause();
            left = alive();
        }
        if (!left.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: {1} processes will not end",
                    run,
                    left.size());
        }
    }

    private void suspendAll(Set<ProcessHandle> found) {
        var suspended = new HashSet<Long>();
        var there = found;
        boolean more = true;
        while (more) {
            more = false;
            for (var process : there) {
                if (!suspended.add(process.pid())) continue;
                Native.signal(process.pid(), Native.SIGSTOP);
                more = true;
            }
            there = alive();
        }
    }

    private boolean goneWithin(Duration grace) throws InterruptedException {
        long until = System.nanoTime() + grace.toNanos();
        while (System.nanoTime() < until) {
            if (alive().isEmpty()) return true;
            pause();
        }
        return alive().isEmpty();
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

    void freeze(Containment.Freezing freezing) throws InterruptedException {
        if (machine.containment().freeze(run, freezing)) return;
        if (freezing == Containment.Freezing.FREEZE) {
            suspendAll(alive());
        } else {
            for (var process : alive()) Native.signal(process.pid(), Native.SIGCONT);
        }
    }

    /** The supervisor has nothing left to wait for; it goes, or it is made to. */
    void leave() {
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
                            s.destroyForcibly();
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
