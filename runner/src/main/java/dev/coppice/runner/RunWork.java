package dev.coppice.runner;

import dev.coppice.runner.agents.Agent;
import dev.coppice.runner.process.Containment;
import dev.coppice.runner.process.Crew;
import dev.coppice.runner.process.Supervised;
import dev.coppice.wire.ClaimedRun;
import dev.coppice.wire.Json;
import dev.coppice.wire.ReportRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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

    private static final Duration LEFTOVERS_GRACE = Duration.ofSeconds(1);

    private final Runner runner;
    private final Hold hold;
    private final @Nullable ClaimedRun run;
    private final @Nullable Agent agent;
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicReference<@Nullable Duration> stopping = new AtomicReference<>();
    private volatile @Nullable Supervised process;
    private int refusedStatus;
    private String refused = "";
    private final AtomicLong printed = new AtomicLong();
    private volatile boolean confirmed;
    private volatile boolean signalled;
    private volatile boolean abandoned;

    /** Nothing while nobody knows: an earlier life may have suspended it. */
    private volatile @Nullable Boolean suspended;

    private @Nullable String correction;
    private @Nullable String state;
    private int attempt;

    /** A run that was just claimed. */
    RunWork(Runner runner, ClaimedRun run, @Nullable Agent agent) {
        this.runner = runner;
        this.hold = new Hold(run.runId(), run.sessionId(), run.fence());
        this.run = run;
        this.agent = agent;
        this.suspended = false;
    }

    /** A run that an earlier life of the runner has begun. */
    RunWork(Runner runner, Hold hold) {
        this.runner = runner;
        this.hold = hold;
        this.run = null;
        this.agent = null;
        this.confirmed = true;
    }

    Hold held() {
        return hold;
    }

    boolean isConfirmed() {
        return confirmed;
    }

    @Override
    public void run() {
        try {
            if (run == null) goOn();
            else if (confirm()) work(run);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "run " + hold.runId(), e);
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
                LOG.log(System.Logger.Level.INFO, "{0} is not confirmed yet", hold.runId());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean confirm() {
        var answer = report("started", beginning());
        confirmed = answer;
        answered.countDown();
        // Someone has stopped it before it began: it must not begin.
        if (answer && "stopping".equals(state)) {
            report("stopped", body(null, "its stop, before it had begun", null, null));
            return false;
        }
        return answer;
    }

    private void work(ClaimedRun claimed) {
        if (stopping.get() != null) {
            report("stopped", body(null, "shutdown", null, null));
            return;
        }
        var directory = runner.workplace().output(hold.runId());
        hold.write(directory);
        try {
            follow(started(claimed, directory));
            var again = correction;
            if (again != null && stopping.get() != null) {
                report("stopped", body(null, "shutdown", null, null));
            } else if (again != null && !abandoned) {
                attempt = 1;
                follow(started(claimed.resumedWith(again), directory));
            }
        } catch (IOException | IllegalArgumentException e) {
            report("failed", failure("The agent could not be started: " + e.getMessage()));
        } catch (InterruptedException e) {
            // The runner goes; what is written down is for its next life.
            Thread.currentThread().interrupt();
            return;
        }
        Hold.strikeOut(directory);
    }

    /** Takes back what an earlier life has started, or tells how it has ended since. */
    private void goOn() {
        var directory = runner.workplace().output(hold.runId());
        var found = Supervised.found(hold.runId(), directory, runner.machine());
        answered.countDown();
        try {
            if (found.isPresent()) {
                LOG.log(
                        System.Logger.Level.INFO,
                        found.get().isAlive()
                                ? "took back {0}, which is still at work"
                                : "{0} has ended while there was no runner",
                        hold.runId());
                follow(found.get());
            } else {
                var strays = runner.machine().strays(hold.runId());
                var how = strays.end(Duration.ZERO);
                strays.leave();
                LOG.log(System.Logger.Level.INFO, "{0} was never begun: {1}", hold.runId(), how);
                report("failed", failure("The runner was killed before the agent had started"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        Hold.strikeOut(directory);
    }

    private void follow(Supervised followed) throws InterruptedException {
        process = followed;
        // Another process than before, if there was one: what is wanted of it is yet to be said.
        if (run != null) suspended = false;
        var asked = stopping.get();
        if (asked != null) endOnOwnThread(asked);
        if (abandoned) endOnOwnThread(Duration.ZERO);
        int exit = followed.await();
        var left =
                signalled ? followed.end(LEFTOVERS_GRACE) : followed.endLeftovers(LEFTOVERS_GRACE);
        if (left != Crew.Ending.NOTHING_LEFT) {
            LOG.log(System.Logger.Level.INFO, "ended what {0} had left behind", hold.runId());
        }
        followed.leave();
        if (!abandoned) tell(followed, exit);
    }

    private Supervised started(ClaimedRun claimed, Path directory) throws IOException {
        if (agent == null) {
            var kind = Json.text(claimed.resolvedAgentBlueprint(), "kind");
            throw new IllegalArgumentException("this runner knows no agents of kind " + kind);
        }
        var start = agent.start(claimed);
        Files.writeString(directory.resolve("stdin"), start.input());
        var order =
                new Supervised.Order(
                        hold.runId(),
                        start.command(),
                        runner.workplace().of(hold.sessionId(), claimed.projectDir()),
                        runner.surroundings().of(claimed, start.environment()),
                        start.polite(),
                        start.helpers());
        return Supervised.start(order, directory, runner.machine());
    }

    private void tell(Supervised ended, int exit) {
        // What ends by itself in the moment before the signal has ended as it says it has.
        if (signalled) {
            // Who went when asked may be gone before its supervisor could write down how.
            boolean killed =
                    !ended.hasAgreed() && (exit == SIGKILLED || exit == Supervised.UNKNOWN);
            report("stopped", body(null, killed ? "SIGKILL" : ended.howItEnded(), null, null));
        } else if (exit == Supervised.UNKNOWN) {
            report("failed", failure("How it ended is unknown: its supervisor was killed"));
        } else if (exit == 0) {
            completed(Output.of(ended));
        } else {
            report("failed", failure(Output.error(ended, exit)));
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

    private ReportRequest beginning() {
        var place =
                run == null ? null : runner.workplace().told(hold.sessionId(), run.projectDir());
        return new ReportRequest(
                runner.id(), hold.fence(), null, null, null, null, null, null, attempt, place);
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
                runner.id(),
                hold.fence(),
                "success",
                null,
                error,
                signal,
                text,
                data,
                run == null ? 1 : attempt,
                null);
    }

    /** True when it was taken; false when the run is no longer this runner's. */
    private boolean report(String what, ReportRequest body) {
        var pause = PAUSE_MIN;
        int triesAfterClose = 2;
        while (!abandoned && (runner.isOpen() || triesAfterClose-- > 0)) {
            try {
                var answer =
                        runner.client().post("/runner/runs/" + hold.runId() + "/" + what, body);
                if (answer.isGood()) {
                    correction = Json.text(answer.body(), "retry");
                    state = Json.text(answer.body(), "status");
                    return true;
                }
                if (answer.status() < 500) {
                    refusedStatus = answer.status();
                    refused = answer.error();
                    LOG.log(
                            System.Logger.Level.INFO,
                            "{0} of {1}: {2}",
                            what,
                            hold.runId(),
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

    /** Whether the agent has printed anything that the coordinator has not heard of. */
    boolean hasPrinted() {
        var running = process;
        return running != null && Output.bytes(running) != printed.get();
    }

    /** The coordinator knows of it now, and is told again when there is more. */
    void printingWasHeard(long bytes) {
        printed.set(bytes);
    }

    long printed() {
        var running = process;
        return running == null ? 0 : Output.bytes(running);
    }

    /** Asking again joins the stop under way. */
    void stop(Duration grace) {
        if (!stopping.compareAndSet(null, grace)) return;
        endOnOwnThread(grace);
    }

    /**
     * Whether all of it shall stand still; asked again and again, so it changes something rarely.
     */
    void suspend(boolean wanted) {
        var running = process;
        var before = suspended;
        boolean asWanted = before != null && before == wanted;
        if (running == null || asWanted || stopping.get() != null) return;
        suspended = wanted;
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        running.freeze(this::freezing);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private Containment.Freezing freezing() {
        return Boolean.TRUE.equals(suspended)
                ? Containment.Freezing.FREEZE
                : Containment.Freezing.THAW;
    }

    /** The lease is gone: what runs here is nobody's any more, and nobody wants to hear of it. */
    void abandon() {
        abandoned = true;
        endOnOwnThread(Duration.ZERO);
    }

    boolean isAbandoned() {
        return abandoned;
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
            LOG.log(System.Logger.Level.WARNING, "run {0} is not over yet", hold.runId());
        }
    }
}
