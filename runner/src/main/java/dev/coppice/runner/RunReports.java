package dev.coppice.runner;

import dev.coppice.client.Pause;
import dev.coppice.wire.Call;
import dev.coppice.wire.fleet.RunReport;
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

    private final Station station;
    private final HeldRun hold;
    private final BooleanSupplier isAbandoned;
    private @Nullable String correction;
    private @Nullable String state;
    private int refusedStatus;
    private String refused = "";
    private int attempt;

    RunReports(Station station, HeldRun hold, BooleanSupplier isAbandoned) {
        this.station = station;
        this.hold = hold;
        this.isAbandoned = isAbandoned;
    }

    /** Marks all further reports as final: the coordinator sends back only a first attempt. */
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
    boolean started(RunReport.@Nullable Workplace place) {
        return report(
                RunnerCalls.STARTED,
                new RunReport.Started(hold.runId(), station.id(), hold.fence(), place));
    }

    /**
     * Reports the result. If the coordinator rejects it as invalid or too large, reports the run as
     * failed, so that its end is not lost.
     */
    void completed(String text, long printed) {
        completed(text, null, printed);
    }

    /** Reports the result of a run whose result is data. */
    void completed(JsonNode data, long printed) {
        completed(null, data, printed);
    }

    private void completed(@Nullable String text, @Nullable JsonNode data, long printed) {
        var report =
                new RunReport.Completed(
                        hold.runId(),
                        station.id(),
                        hold.fence(),
                        null,
                        text,
                        data,
                        attempt,
                        printed);
        if (report(RunnerCalls.COMPLETED, report)) return;
        boolean isTooLarge = refusedStatus == 400 || refusedStatus == 413;
        if (isTooLarge) failed("The coordinator rejected the result: " + refused, printed);
    }

    void failed(String error, long printed) {
        report(
                RunnerCalls.FAILED,
                new RunReport.Failed(hold.runId(), station.id(), hold.fence(), error, printed));
    }

    void stopped(String signal, long printed) {
        report(
                RunnerCalls.STOPPED,
                new RunReport.Stopped(hold.runId(), station.id(), hold.fence(), signal, printed));
    }

    /**
     * Repeats the report until it is answered. False if it was refused, the run was abandoned, or
     * the runner is closing.
     */
    private <R extends Record> boolean report(Call<R, RunnerCalls.Reported> call, R report) {
        var pause = PAUSE_MIN;
        int triesAfterClose = 2;
        while (!isAbandoned.getAsBoolean() && (station.isOpen() || triesAfterClose-- > 0)) {
            try {
                var answer = station.client().call(call, report);
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
