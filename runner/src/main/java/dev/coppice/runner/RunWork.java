package dev.coppice.runner;

import dev.coppice.runner.agents.Agent;
import dev.coppice.runner.agents.McpServers;
import dev.coppice.runner.agents.ProceduralAgent;
import dev.coppice.runner.agents.Programs;
import dev.coppice.runner.agents.Scripts;
import dev.coppice.runner.agents.Start;
import dev.coppice.runner.process.Containment;
import dev.coppice.runner.process.ProcessUse;
import dev.coppice.runner.process.RunProcesses;
import dev.coppice.runner.process.Supervised;
import dev.coppice.runner.process.Supervisor;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;
import dev.coppice.wire.fleet.Heartbeat;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One run from its claim to its report. No process starts before the coordinator has confirmed the
 * claim; a report is repeated until it is answered, because the end of a run must not be lost.
 */
final class RunWork implements Runnable {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");

    /** The exit code with which a shell and the JDK report a process killed by SIGKILL. */
    private static final int SIGKILLED = 137;

    private static final Duration LEFTOVERS_GRACE = Duration.ofSeconds(1);

    private final Station station;
    private final Consumer<RunWork> done;
    private final HeldRun hold;
    private final RunReports reports;
    private final @Nullable ClaimedRun run;
    private final @Nullable Agent agent;
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicReference<@Nullable Duration> stopping = new AtomicReference<>();
    private static final Duration RETRY = Duration.ofSeconds(1);

    private volatile @Nullable Supervised process;
    private final AtomicLong printed = new AtomicLong();
    private volatile boolean confirmed;
    private volatile boolean signalled;
    private volatile boolean abandoned;
    private volatile boolean overfull;

    /** Null while unknown: an earlier process of this runner may have suspended the run. */
    private volatile @Nullable Boolean suspended;

    /** A run that was just claimed; {@code done} is called at its end. */
    RunWork(Station station, ClaimedRun run, @Nullable Agent agent, Consumer<RunWork> done) {
        this.station = station;
        this.done = done;
        this.hold =
                new HeldRun(
                        run.runId(),
                        run.sessionId(),
                        run.fence(),
                        Objects.requireNonNullElse(run.orEndless().outputBytes(), Long.MAX_VALUE),
                        ProceduralAgent.KIND.equals(
                                Json.text(run.resolvedAgentBlueprint(), "kind")));
        this.reports = new RunReports(station, hold, () -> abandoned);
        this.run = run;
        this.agent = agent;
        this.suspended = false;
    }

    /** A run that an earlier process of this runner started. */
    RunWork(Station station, HeldRun hold, Consumer<RunWork> done) {
        this.station = station;
        this.done = done;
        this.hold = hold;
        this.reports = new RunReports(station, hold, () -> abandoned);
        this.reports.again();
        this.run = null;
        this.agent = null;
        this.confirmed = true;
    }

    HeldRun held() {
        return hold;
    }

    boolean isConfirmed() {
        return confirmed;
    }

    @Override
    public void run() {
        try {
            if (run == null) recover();
            else if (confirm()) work(run);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "run " + hold.runId(), e);
            reports.failed(String.valueOf(e.getMessage()), printed());
        } finally {
            done.accept(this);
            over.countDown();
        }
    }

    /**
     * Waits for the answer to the claim. The coordinator would take the run for lost if the runner
     * polled earlier.
     */
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
        var place =
                run == null
                        ? null
                        : station.directories()
                                .describe(
                                        hold.sessionId(),
                                        run.hasOwnTree() ? null : run.projectDir());
        boolean answer = reports.started(place);
        confirmed = answer;
        answered.countDown();
        // The run was stopped before its agent started: do not start it.
        if (answer && reports.isStopping()) {
            reports.stopped("a request before the agent started", 0);
            return false;
        }
        return answer;
    }

    private void work(ClaimedRun claimed) {
        if (stopping.get() != null) {
            reports.stopped("shutdown", 0);
            return;
        }
        var directory = station.directories().output(hold.runId());
        hold.write(directory);
        try {
            follow(started(claimed, directory));
            var again = reports.correction();
            if (again != null && stopping.get() != null) {
                reports.stopped("shutdown", printed());
            } else if (again != null && !abandoned && !overfull) {
                reports.again();
                follow(started(claimed.resumedWith(again), directory));
            }
        } catch (IOException | IllegalArgumentException e) {
            reports.failed("The agent could not be started: " + e.getMessage(), 0);
        } catch (InterruptedException e) {
            // The runner is closing: leave the record for its next process.
            Thread.currentThread().interrupt();
            return;
        }
        HeldRun.strikeOut(directory);
    }

    /**
     * Follows an agent that an earlier process of this runner started, or reports how it ended
     * meanwhile.
     */
    private void recover() {
        var directory = station.directories().output(hold.runId());
        var found = Supervised.found(hold.runId(), directory, station.machine());
        answered.countDown();
        try {
            if (found.isPresent()) {
                LOG.log(
                        System.Logger.Level.INFO,
                        found.get().isAlive()
                                ? "took back {0}: its agent is still running"
                                : "{0} has ended while no runner was running",
                        hold.runId());
                follow(found.get());
            } else {
                var strays = Supervised.strays(hold.runId(), directory, station.machine());
                var how = strays.end(Duration.ZERO);
                strays.cleanUp();
                LOG.log(System.Logger.Level.INFO, "{0} had not started: {1}", hold.runId(), how);
                reports.failed("The runner was killed before the agent had started", 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        HeldRun.strikeOut(directory);
    }

    private void follow(Supervised followed) throws InterruptedException {
        process = followed;
        // A new process is not suspended, even if the previous one was.
        if (run != null) suspended = false;
        var asked = stopping.get();
        if (asked != null) endOnOwnThread(asked);
        if (abandoned || overfull) endOnOwnThread(Duration.ZERO);
        int exit = followed.await();
        var left =
                signalled ? followed.end(LEFTOVERS_GRACE) : followed.endLeftovers(LEFTOVERS_GRACE);
        if (left != RunProcesses.Ending.NOTHING_LEFT) {
            LOG.log(System.Logger.Level.INFO, "ended processes that {0} left behind", hold.runId());
        }
        var met = followed.limitsReached();
        followed.cleanUp();
        if (!abandoned) report(followed, exit, met);
    }

    private Supervised started(ClaimedRun whole, Path directory) throws IOException {
        if (agent == null) {
            var kind = Json.text(whole.resolvedAgentBlueprint(), "kind");
            throw new IllegalArgumentException("this runner has no agent of kind " + kind);
        }
        var claimed = Scripts.placed(whole, directory);
        var start = withServers(claimed, agent.start(claimed), directory);
        Files.writeString(directory.resolve("stdin"), start.input());
        var environment = station.surroundings().of(claimed, start.environment());
        var project = claimed.projectDir();
        var workplace =
                claimed.hasOwnTree() && project != null
                        ? station.directories()
                                .treeOf(hold.sessionId(), claimed.sessionName(), project)
                        : station.directories().of(hold.sessionId(), project);
        var fault = Programs.fault(start.command().getFirst(), environment.get("PATH"), workplace);
        if (fault != null) throw new IllegalArgumentException(fault);
        var order =
                new Supervisor.Order(
                        hold.runId(),
                        start.command(),
                        workplace,
                        environment,
                        start.polite(),
                        claimed.orEndless());
        return Supervised.start(order, directory, station.machine());
    }

    /** Writes the agent's MCP servers, with its token, into a file that only its user can read. */
    private Start withServers(ClaimedRun claimed, Start start, Path directory) throws IOException {
        var servers =
                new McpServers(
                        station.settings().coordinator().resolve("/mcp").toString(), claimed);
        var config = servers.config(start);
        if (config == null) return start;
        var file = directory.resolve("mcp.json").toAbsolutePath();
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Files.writeString(file, config);
        return servers.start(start, file.toString());
    }

    private void report(Supervised ended, int exit, List<String> limitsMet) {
        if (!limitsMet.isEmpty()) {
            LOG.log(System.Logger.Level.INFO, "{0} reached {1}", hold.runId(), limitsMet);
        }
        // The run may have ended between two checks of its output.
        overfull = overfull || Output.bytes(ended) > hold.outputMax();
        if (overfull) Output.cut(ended, hold.outputMax());
        long printed = Output.bytes(ended);
        if (overfull) {
            var why =
                    "The run was ended because it printed more than its tree had left of"
                            + " output_bytes; the first "
                            + printed
                            + " bytes are kept";
            reports.failed(why, printed);
        } else if (signalled) {
            // Only an agent that was alive is signalled, so an earlier exit keeps its own code. If
            // the agent obeyed its stop signal, the supervisor may be gone before it wrote the
            // code.
            boolean killed =
                    !ended.endedOnStopSignal() && (exit == SIGKILLED || exit == Supervised.UNKNOWN);
            reports.stopped(killed ? "SIGKILL" : ended.howItEnded(), printed);
        } else if (exit == Supervised.UNKNOWN && !ended.hasStarted()) {
            reports.failed("The agent could not be started: its supervisor has ended", 0);
        } else if (exit == Supervised.UNKNOWN) {
            reports.failed("The exit code is unknown: its supervisor was killed", printed);
        } else if (exit == 0 && hold.structured()) {
            reports.completed(Output.structured(ended), printed);
        } else if (exit == 0) {
            reports.completed(Output.of(ended), printed);
        } else {
            var error = Output.error(ended, exit);
            reports.failed(limitsMet.isEmpty() ? error : error + met(limitsMet), printed);
        }
    }

    private static String met(List<String> limits) {
        return "\n(The run met its limit %s.)".formatted(String.join(" and ", limits));
    }

    /** Returns the heartbeat's entry for this run; {@code bytes} is its output so far. */
    Heartbeat.Held heldNow(long bytes) {
        return new Heartbeat.Held(hold.runId(), hold.fence(), bytes != printed.get(), bytes);
    }

    /** Returns the current resource use of the run's processes. */
    ProcessUse use() {
        var running = process;
        return running == null ? ProcessUse.NOTHING : running.use();
    }

    /** The last line that the run printed; null if there is none. */
    Output.@Nullable Last lastLine() {
        var running = process;
        return running == null ? null : Output.last(running);
    }

    /** Records that the coordinator knows of this much output. */
    void outputReported(long bytes) {
        printed.set(bytes);
    }

    long printed() {
        var running = process;
        return running == null ? 0 : Output.bytes(running);
    }

    /** Ends the run if it has printed more than its tree had left at the claim. */
    void watchOutput() {
        if (!overfull && printed() > hold.outputMax()) breakOff();
    }

    /** Ends the run because its tree exceeded its output limit. */
    void breakOff() {
        overfull = true;
        endOnOwnThread(Duration.ZERO);
    }

    /** Stops the run. The grace of the first request applies; later ones change nothing. */
    void stop(Duration grace) {
        if (!stopping.compareAndSet(null, grace)) return;
        endOnOwnThread(grace);
    }

    /**
     * Suspends or resumes all processes of the run. Every heartbeat calls it, so an unchanged state
     * is skipped.
     */
    void suspend(boolean wanted) {
        var running = process;
        var before = suspended;
        boolean asWanted = before != null && before == wanted;
        if (running == null || asWanted || stopping.get() != null) return;
        suspended = wanted;
        Threads.virtual("freeze-" + hold.runId())
                .start(() -> {
                    try {
                        running.freeze(this::freezing);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (RuntimeException | Error e) {
                        LOG.log(System.Logger.Level.ERROR, "freezing run " + hold.runId(), e);
                        // The next heartbeat tries again.
                        suspended = null;
                    }
                });
    }

    private Containment.Freezing freezing() {
        return Boolean.TRUE.equals(suspended)
                ? Containment.Freezing.FREEZE
                : Containment.Freezing.THAW;
    }

    /** Ends the run without a report, because its lease is lost. */
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
        Threads.virtual("end-" + hold.runId())
                .start(() -> {
                    try {
                        while (!hasEnded(running, grace)) {
                            if (over.await(RETRY.toMillis(), TimeUnit.MILLISECONDS)) return;
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private boolean hasEnded(Supervised running, Duration grace) throws InterruptedException {
        try {
            running.end(grace);
            return true;
        } catch (RuntimeException | Error e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "could not end run " + hold.runId() + "; will try again",
                    e);
            return false;
        }
    }

    void awaitOver(Duration patience) throws InterruptedException {
        if (!over.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(System.Logger.Level.WARNING, "run {0} has not ended yet", hold.runId());
        }
    }
}
