package dev.coppice.cli;

import dev.coppice.runner.process.Census;
import dev.coppice.runner.process.Machine;
import dev.coppice.wire.Patience;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunView;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The doctor's look at runs that are at work and have no process. Only those with the runner of
 * this very data directory can be judged: others may mark their processes otherwise, or have them
 * where this machine cannot see them.
 */
final class Runs {
    /** What has just been confirmed has a process soon; what has just ended is told soon. */
    private static final long PAUSE_MILLIS = 1_500;

    private final Connection connection;
    private final Machine machine;
    private final Path directory;
    private final Findings findings;

    Runs(Connection connection, Machine machine, Path data, Findings findings) {
        this.connection = connection;
        this.machine = machine;
        this.directory = data.resolve("runner").toAbsolutePath().normalize();
        this.findings = findings;
    }

    void look(Map<String, RunView> live, boolean fix) {
        var ours = ours();
        var suspects = new ArrayList<RunView>();
        var first = machine.census().now();
        for (var run : live.values()) {
            boolean begun = run.state().equals("running");
            if (begun
                    && run.runnerId() != null
                    && ours.contains(run.runnerId())
                    && isBare(first, run)) {
                suspects.add(run);
            }
        }
        if (suspects.isEmpty()) return;
        pause();
        var second = machine.census().now();
        for (var run : suspects) if (isBare(second, run) && isStillAtWork(run)) say(run, fix);
    }

    private Set<String> ours() {
        var ours = new HashSet<String>();
        for (var runner : connection.runners()) {
            boolean here =
                    runner.hostname().equals(dev.coppice.runner.Runner.hostname())
                            && runner.projectDir().equals(directory.toString());
            if (here) ours.add(runner.runnerId());
        }
        return ours;
    }

    private static boolean isBare(Census.Count count, RunView run) {
        return count.markedBy(run.runId()).pids().isEmpty();
    }

    private boolean isStillAtWork(RunView run) {
        var read = new RunCalls.Await(run.runId(), Patience.NONE);
        return connection.call(RunCalls.READ, read) instanceof RunView now
                && now.completedAt() == null;
    }

    private void say(RunView run, boolean fix) {
        var id = run.runId();
        var said =
                "%s of %s is at work and has no process here"
                        .formatted(id, Shown.harmless(run.sessionName()));
        if (fix) {
            connection.call(RunCalls.STOP, new RunCalls.At(id));
            findings.mended("runs", said + ": it is being stopped");
        } else {
            findings.wrong("runs", said + "; --fix stops it");
        }
    }

    private static void pause() {
        try {
            boolean never = new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            if (never) throw new IllegalStateException("nobody opens this latch");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
