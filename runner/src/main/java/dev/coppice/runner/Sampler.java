package dev.coppice.runner;

import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.fleet.RunnerCalls.Sample;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;

/**
 * Reports the resource use of the runs, and what they printed last. A lost sample is not sent
 * again.
 */
record Sampler(CoppiceClient client) {
    static final Duration INTERVAL = Duration.ofSeconds(5);

    /** The most runs in one request. */
    private static final int RUNS_AT_ONCE = 500;

    void send(String runner, Collection<RunWork> works) {
        var samples = new ArrayList<Sample>();
        for (var work : works) {
            var use = work.use();
            if (use.processes() == 0 || !work.isConfirmed()) continue;
            var printed = work.lastLine();
            samples.add(
                    new Sample(
                            work.held().runId(),
                            use.cpuMillis(),
                            use.memoryBytes(),
                            use.processes(),
                            use.openFiles(),
                            printed == null ? null : printed.line(),
                            printed == null ? 0 : printed.quiet().toMillis()));
        }
        for (int at = 0; at < samples.size(); at += RUNS_AT_ONCE) {
            var some = samples.subList(at, Math.min(at + RUNS_AT_ONCE, samples.size()));
            var _ = client.call(RunnerCalls.SAMPLES, new RunnerCalls.Samples(runner, some));
        }
    }
}
