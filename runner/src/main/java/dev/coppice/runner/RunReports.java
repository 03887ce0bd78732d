package dev.coppice.runner;

import dev.coppice.client.Pause;
import dev.coppice.wire.Call;
import dev.coppice.wire.fleet.ReportRequest;
import dev.coppice.wire.fleet.RunnerCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Sends the reports of one run, and repeats each one until it is answered. */
final class RunReports {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(3);

    private final Runner runner;
    private final HeldRun hold;
    private final BooleanSupplier isAbandoned;
    private @Nullable String correction;
    private @Nullable String state;
    private int refusedStatus;
    private String refused = "";
    private int attempt;

    RunReports(Runner runner, HeldRun hold, BooleanSupplier isAbandoned) {
        this.runner = runner;
        this.hold = hold;
        this.isAbandoned = isAbandoned;
    }

    /** Marks all further reports as those of the run's second attempt. */
    void again() {
        attempt = 1;
    }

    /** Returns the coordinator's correction for the agent, if its result broke its schema. */
    @Nullable String correction() {
        return correction;
    }

    boolean isStopping() {
        return "stopping".equals(state);
    }

    /** Reports the start; true if this runner holds the run. */
    boolean started(ReportRequest.@Nullable Workplace place) {
        return report(
                RunnerCalls.STARTED,
                new ReportRequest(
                        runner.id(),
                        hold.fence(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        attempt,
                        place,
                        null));
    }

    /**
     * Reports the result. If the coordinator rejects it as invalid or too large, reports the run as
     * failed, so that its end is not lost.
     */
    void completed(String text, long printed) {
        completed(body(null, null, text, null, printed), printed);
    }

    /** Reports the result of a run whose result is data. */
    void completed(JsonNode data, long printed) {
        completed(body(null, null, null, data, printed), printed);
    }

    private void completed(ReportRequest report, long printed) {
        if (report(RunnerCalls.COMPLETED, report)) return;
        boolean isTooLarge = refusedStatus == 400 || refusedStatus == 413;
        if (isTooLarge) failed("The coordinator rejected the result: " + refused, printed);
    }

    void failed(String error, long printed) {
        report(RunnerCalls.FAILED, body(error, null, null, null, printed));
    }

    void stopped(String signal, long printed) {
        report(RunnerCalls.STOPPED, body(null, signal, null, null, printed));
    }

    private ReportRequest body(
            @Nullable String error,
            @Nullable String signal,
            @Nullable String text,
            @Nullable JsonNode data,
            long printed) {
        return new ReportRequest(
                runner.id(),
                hold.fence(),
                "success",
                null,
                error,
                signal,
                text,
                data,
                attempt,
                null,
                printed);
    }

    /**
     * Repeats the report until it is answered. False if it was refused, the run was abandoned, or
     * the runner is closing.
     */
    private boolean report(
            Call<RunnerCalls.Report, RunnerCalls.Reported> call, ReportRequest report) {
        var pause = PAUSE_MIN;
        int triesAfterClose = 2;
        while (!isAbandoned.getAsBoolean() && (runner.isOpen() || triesAfterClose-- > 0)) {
            try {
                var answer =
                        runner.client().call(call, new RunnerCalls.Report(hold.runId(), report));
                if (answer.isGood()) {
                    correction = answer.value().retry();
                    state = answer.value().status();
                    return true;
                }
                if (answer.status() < 500) {
                    refusedStatus = answer.status();
                    refused = answer.error();
                    LOG.log(
                            System.Logger.Level.INFO,
                            "{0} of {1} was refused: {2}",
                            call.name(),
                            hold.runId(),
                            answer.error());
                    return false;
                }
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, "reporting; will retry", e);
            }
            if (isInterruptedWithin(pause)) return false;
            pause = pause.compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
        }
        return false;
    }

    private static boolean isInterruptedWithin(Duration length) {
        try {
            Pause.of(length);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
