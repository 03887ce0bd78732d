package dev.coppice.cli.doctor;

import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Shown;
import dev.coppice.client.Pause;
import dev.coppice.runner.process.Machine;
import dev.coppice.runner.process.ProcessTable;
import dev.coppice.wire.Patience;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunView;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The doctor's check for live runs without a process. It covers only runs of the runner in this
 * data directory: other runners may mark their processes differently, or run them where this
 * machine cannot see them.
 */
final class LostRuns {
    /** Time for a confirmed run to get its process, and for an ended one to be reported. */
    private static final Duration PAUSE = Duration.ofMillis(1_500);

    private final Connection connection;
    private final Machine machine;
    private final Path directory;
    private final CheckReport findings;

    LostRuns(Connection connection, Machine machine, Path data, CheckReport findings) {
        this.connection = connection;
        this.machine = machine;
        this.directory = data.resolve("runner").toAbsolutePath().normalize();
        this.findings = findings;
    }

    void look(Map<String, RunView> live, boolean fix) {
        var ours = ours();
        var suspects = new ArrayList<RunView>();
        var first = machine.processTable().now();
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
        var second = machine.processTable().now();
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

    private static boolean isBare(ProcessTable.Count count, RunView run) {
        return count.markedBy(run.runId()).pids().isEmpty();
    }

    private boolean isStillAtWork(RunView run) {
        var read = new RunCalls.Await(run.runId(), Patience.NONE);
        return connection.call(RunCalls.READ, read) instanceof RunView now
                && now.completedAt() == null;
    }

    private void say(RunView run, boolean fix) {
        var id = run.runId();
        var finding =
                "%s of %s is live but has no process here"
                        .formatted(id, Shown.clean(run.sessionName()));
        if (fix) {
            connection.call(RunCalls.STOP, new RunCalls.At(id));
            findings.mended("runs", finding + "; stopping it");
        } else {
            findings.wrong("runs", finding + "; --fix stops it");
        }
    }

    private static void pause() {
        try {
            Pause.of(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
