package dev.coppice.runner;

import dev.coppice.runner.agents.Agent;
import dev.coppice.wire.ClaimedRun;
import dev.coppice.wire.Json;
import dev.coppice.wire.ReportRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One run from its claim to its report. No process starts before the coordinator has confirmed the
 * claim; a report is repeated until it is answered, because the end of a run must not be lost.
 */
final class RunWork implements Runnable {
    private static final System.Logger LOG = System.getLogger("runner");

    /** How a shell, and the JDK, write the end by signal 9. */
    private static final int SIGKILLED = 137;

    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(3);

    private final Runner runner;
    private final ClaimedRun run;
    private final @Nullable Agent agent;
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicReference<@Nullable Duration> stopping = new AtomicReference<>();
    private volatile @Nullable AgentProcess process;
    private int refusedStatus;
    private String refused = "";
    private volatile boolean confirmed;
    private volatile boolean signalled;
    private volatile boolean abandoned;

    RunWork(Runner runner, ClaimedRun run, @Nullable Agent agent) {
        this.runner = runner;
        this.run = run;
        this.agent = agent;
    }

    ClaimedRun claimed() {
        return run;
    }

    boolean isConfirmed() {
        return confirmed;
    }

    @Override
    public void run() {
        try {
            if (confirm()) work();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "run " + run.runId(), e);
            report("failed", failure(String.valueOf(e.getMessage())));
        } finally {
            runner.done(this);
            over.countDown();
        }
    }

    /** Until then the runner must not ask for more: it would look as if this one was lost. */
    void awaitConfirmed(Duration patience) {
        try {
            if (!answered.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(System.Logger.Level.INFO, "{0} is not confirmed yet", run.runId());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean confirm() {
        var answer = report("started", body(null, null, null, null));
        confirmed = answer;
        answered.countDown();
        return answer;
    }

    private void work() {
        if (stopping.get() != null) {
            report("stopped", body(null, "shutdown", null, null));
            return;
        }
        try {
            var started = started();
            process = started;
            var asked = stopping.get();
            if (asked != null) endOnOwnThread(asked);
            if (abandoned) endOnOwnThread(Duration.ZERO);
            int exit = started.await();
            if (!abandoned) tell(started, exit);
        } catch (IOException | IllegalArgumentException e) {
            report("failed", failure("The agent could not be started: " + e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private AgentProcess started() throws IOException {
        if (agent == null) {
            var kind = Json.text(run.resolvedAgentBlueprint(), "kind");
            throw new IllegalArgumentException("this runner knows no agents of kind " + kind);
        }
        return AgentProcess.start(
                run,
                agent.start(run),
                runner.workplace().of(run.sessionId(), run.projectDir()),
                runner.workplace().output(run.runId()),
                runner.surroundings());
    }

    private void tell(AgentProcess ended, int exit) {
        // What ends by itself in the moment before the signal has ended as it says it has.
        if (signalled) {
            report("stopped", body(null, exit == SIGKILLED ? "SIGKILL" : "SIGTERM", null, null));
        } else if (exit == 0) {
            var text = ended.output();
            completed(text);
        } else {
            report("failed", failure(ended.error(exit)));
        }
    }

    /**
     * What the coordinator will not keep is no reason to lose the run: it has failed, and says why.
     */
    private void completed(String text) {
        if (report("completed", body(null, null, text, null)) || !isTooMuch()) return;
        report("failed", failure("The result was not accepted: " + refused));
    }

    private boolean isTooMuch() {
        return refusedStatus == 400 || refusedStatus == 413;
    }

    private ReportRequest failure(String error) {
        return body(error, null, null, null);
    }

    private ReportRequest body(
            @Nullable String error,
            @Nullable String signal,
            @Nullable String text,
            @Nullable JsonNode data) {
        return new ReportRequest(
                runner.id(), run.fence(), "success", null, error, signal, text, data);
    }

    /** True when it was taken; false when the run is no longer this runner's. */
    private boolean report(String what, ReportRequest body) {
        var pause = PAUSE_MIN;
        int triesAfterClose = 2;
        while (!abandoned && (runner.isOpen() || triesAfterClose-- > 0)) {
            try {
                var answer = runner.client().post("/runner/runs/" + run.runId() + "/" + what, body);
                if (answer.isGood()) return true;
                if (answer.status() < 500) {
                    refusedStatus = answer.status();
                    refused = answer.error();
                    LOG.log(
                            System.Logger.Level.INFO,
                            "{0} of {1}: {2}",
                            what,
                            run.runId(),
                            answer.error());
                    return false;
                }
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, "reporting; will try again", e);
            }
            if (paused(pause)) return false;
            pause = pause.compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
        }
        return false;
    }

    private static boolean paused(Duration length) {
        try {
            return new CountDownLatch(1).await(length.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Asking again joins the stop under way. */
    void stop(Duration grace) {
        if (!stopping.compareAndSet(null, grace)) return;
        endOnOwnThread(grace);
    }

    /** The lease is gone: what runs here is nobody's any more, and nobody wants to hear of it. */
    void abandon() {
        abandoned = true;
        endOnOwnThread(Duration.ZERO);
    }

    private void endOnOwnThread(Duration grace) {
        var running = process;
        if (running == null) return;
        signalled = signalled || running.isAlive();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        running.end(grace);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    void awaitOver(Duration patience) throws InterruptedException {
        if (!over.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(System.Logger.Level.WARNING, "run {0} is not over yet", run.runId());
        }
    }
}
