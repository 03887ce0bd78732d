package dev.coppice.runner.process;

import dev.coppice.thread.Threads;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps a few supervisors waiting, so that agents start at once: starting a supervisor takes longer
 * than starting most agents, and entering a control group can take 20 ms. Replacements start when
 * no agent has started for a moment, so that they do not compete with one.
 */
final class Supervisors implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final int WAITING = 4;
    private static final Duration QUIET = Duration.ofMillis(20);
    private final Containment containment;
    private final ProcessTable processTable;
    private final Supervisor supervisor;
    private final ArrayDeque<WaitingSupervisor> waiting = new ArrayDeque<>();
    private final AtomicLong made = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Distinguishes the groups of this process from those of an earlier one. */
    private final String life = HexFormat.of().toHexDigits(new SecureRandom().nextInt());

    private boolean isOpen;
    private boolean isFilling;
    private @Nullable Thread filler;
    private long taken;

    Supervisors(Containment containment, ProcessTable processTable, Supervisor supervisor) {
        this.containment = containment;
        this.processTable = processTable;
        this.supervisor = supervisor;
    }

    /** Starts the first supervisors, and from now on replaces those that are taken. */
    void keep() {
        synchronized (this) {
            isOpen = supervisor.adopts();
        }
        fillLater();
    }

    /** Takes a waiting supervisor, or starts one if none is left. */
    WaitingSupervisor take() throws IOException {
        var next = next();
        while (next != null && !next.isAlive()) {
            next.dismiss();
            next = next();
        }
        fillLater();
        return next == null ? make() : next;
    }

    private synchronized @Nullable WaitingSupervisor next() {
        taken = System.nanoTime();
        return waiting.poll();
    }

    /** Starts a supervisor that waits for its order. */
    WaitingSupervisor make() throws IOException {
        var group = "agent-%s-%d".formatted(life, made.incrementAndGet());
        var started = WaitingSupervisor.start(group, containment, supervisor);
        processTable.startedHere(started.process().pid());
        return started;
    }

    private synchronized void fillLater() {
        if (!isOpen || isFilling) return;
        isFilling = true;
        filler = Threads.virtual("runner-supervisors").start(this::fill);
    }

    private void fill() {
        try {
            while (isWanted()) {
                if (closed.await(untilQuiet(), TimeUnit.NANOSECONDS)) return;
                if (untilQuiet() <= 0) add(make());
            }
        } catch (IOException | RuntimeException | Error e) {
            // The start of the next agent tries again.
            LOG.log(System.Logger.Level.WARNING, "starting a supervisor ahead of its agent", e);
            synchronized (this) {
                isFilling = false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isWanted() {
        isFilling = isOpen && waiting.size() < WAITING;
        return isFilling;
    }

    private synchronized long untilQuiet() {
        return taken + QUIET.toNanos() - System.nanoTime();
    }

    private synchronized void add(WaitingSupervisor one) {
        waiting.add(one);
    }

    /** Ends the supervisors that were not taken, including one that is being started. */
    @Override
    public void close() {
        closed.countDown();
        Thread filling;
        synchronized (this) {
            isOpen = false;
            filling = filler;
        }
        try {
            if (filling != null) filling.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (var left = next(); left != null; left = next()) left.dismiss();
    }
}
