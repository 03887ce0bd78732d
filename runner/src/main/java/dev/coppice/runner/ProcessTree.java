package dev.coppice.runner;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * All processes of one run, ended: asked first, then killed, and looked for again until a look
 * finds none. A process that forks while it is being killed is found by the next look.
 */
final class ProcessTree {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration KILL_MAX = Duration.ofSeconds(10);
    private final String run;
    private final ProcessHandle root;

    ProcessTree(String run, ProcessHandle root) {
        this.run = run;
        this.root = root;
    }

    /** What it took to end them. */
    enum Ending {
        NOTHING_LEFT,
        SIGTERM,
        SIGKILL
    }

    /** Ends what is there, giving it this long to end by itself. */
    Ending end(Duration grace) throws InterruptedException {
        var there = alive();
        if (there.isEmpty()) return Ending.NOTHING_LEFT;
        there.forEach(ProcessHandle::destroy);
        if (goneWithin(grace)) return Ending.SIGTERM;
        long until = System.nanoTime() + KILL_MAX.toNanos();
        var left = alive();
        while (!left.isEmpty() && System.nanoTime() < until) {
            left.forEach(ProcessHandle::destroyForcibly);
            pause();
            left = alive();
        }
        return Ending.SIGKILL;
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
        root.descendants().forEach(found::add);
        if (root.isAlive()) found.add(root);
        found.addAll(Marker.carrying(Marker.NAME, run));
        found.removeIf(p -> !p.isAlive());
        return found;
    }

    private static void pause() throws InterruptedException {
        boolean never = new CountDownLatch(1).await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        if (never) throw new IllegalStateException("nobody opens this latch");
    }
}
