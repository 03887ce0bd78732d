package dev.coppice.runner.process;

import dev.coppice.client.Pause;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One agent and its supervisor, a script that outlives the runner and records how the agent ended.
 * A restarted runner finds the agents of its earlier processes by these records.
 */
public final class Supervised {
    /** No exit code was recorded: the supervisor itself was killed, or the disk was full. */
    public static final int UNKNOWN = -1;

    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration START_LOOK = Duration.ofMillis(5);
    private static final Duration LEFTOVERS_LOOK = Duration.ofMillis(200);
    private static final String EXIT = "exit";
    private static final String NOTE = "process.json";
    private static final String SUPERVISOR = "supervisor";
    private static final String STDOUT = "stdout";
    private final Path directory;
    private final @Nullable ProcessHandle supervisor;
    private final @Nullable Process started;
    private final RunProcesses runProcesses;

    /** The number of levels from the supervisor down to the agent. */
    private final int generations;

    private Supervised(
            Path directory,
            @Nullable ProcessHandle supervisor,
            @Nullable Process started,
            RunProcesses runProcesses,
            int generations) {
        this.started = started;
        this.directory = directory;
        this.supervisor = supervisor;
        this.runProcesses = runProcesses;
        this.generations = generations;
    }

    public static Supervised start(Supervisor.Order order, Path directory, Machine machine)
            throws IOException {
        for (var earlier : List.of(EXIT, SUPERVISOR, STDOUT)) {
            Files.deleteIfExists(directory.resolve(earlier));
        }
        return machine.supervisor().adopts()
                ? ordered(order, directory, machine)
                : startedNow(order, directory, machine);
    }

    /** Hands the order to a supervisor that waits for one; to another if that one has ended. */
    private static Supervised ordered(Supervisor.Order order, Path directory, Machine machine)
            throws IOException {
        try {
            return ordered(order, directory, machine.supervisors().take(), machine);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, "a waiting supervisor failed: {0}", e.getMessage());
            return ordered(order, directory, machine.supervisors().make(), machine);
        }
    }

    private static Supervised ordered(
            Supervisor.Order order, Path directory, WaitingSupervisor waiting, Machine machine)
            throws IOException {
        var group = new RunGroup(order.run(), waiting.group());
        try {
            machine.containment().limit(group.name(), order.share());
            // A restarted runner looks for the supervisor, so its identity is written down first.
            var supervisor = ProcessInfo.line(waiting.process().pid());
            note(directory, order, group, supervisor, machine);
            waiting.order(order, directory);
        } catch (IOException e) {
            waiting.dismiss();
            throw e;
        }
        return started(order, directory, group, waiting.process(), machine);
    }

    /** Starts a supervisor for this agent alone, which records its own identity. */
    private static Supervised startedNow(Supervisor.Order order, Path directory, Machine machine)
            throws IOException {
        var group = RunGroup.of(order.run());
        note(directory, order, group, null, machine);
        var entry = machine.containment().prepare(group.name());
        machine.containment().limit(group.name(), order.share());
        var line = new ArrayList<>(machine.detached());
        line.addAll(machine.supervisor().beside(directory));
        line.addAll(entry.around(order.run(), order.command()));
        var builder = new ProcessBuilder(line).directory(order.workplace().toFile());
        builder.environment().clear();
        builder.environment().putAll(order.environment());
        var nothing = new java.io.File("/dev/null");
        builder.redirectInput(nothing).redirectOutput(nothing).redirectError(nothing);
        var process = builder.start();
        machine.processTable().startedHere(process.pid());
        return started(order, directory, group, process, machine);
    }

    private static Supervised started(
            Supervisor.Order order,
            Path directory,
            RunGroup group,
            Process process,
            Machine machine) {
        return new Supervised(
                directory,
                process.toHandle(),
                process,
                new RunProcesses(group, process.pid(), order.polite(), machine),
                machine.containment().agentDepth());
    }

    /** Records what a restarted runner must know. */
    private static void note(
            Path directory,
            Supervisor.Order order,
            RunGroup group,
            @Nullable String supervisor,
            Machine machine)
            throws IOException {
        var note =
                Json.object()
                        .put("boot", machine.boot())
                        .put("group", group.name())
                        .put("generations", machine.containment().agentDepth());
        if (supervisor != null) note.put(SUPERVISOR, supervisor);
        if (order.polite() != null) note.put("stop_signal", order.polite().name());
        var part = directory.resolve(NOTE + ".part");
        Files.writeString(part, note.toString());
        Files.move(part, directory.resolve(NOTE), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Returns the record of a run; empty if there is none, or if it is unreadable: then the marks
     * of its processes are all that is known.
     */
    private static Optional<JsonNode> record(String run, Path directory) {
        var file = directory.resolve(NOTE);
        if (!Files.exists(file)) return Optional.empty();
        try {
            return Optional.of(Json.read(RunFile.text(file)));
        } catch (IOException | Json.Unreadable e) {
            LOG.log(System.Logger.Level.WARNING, "the record of " + run + " is unreadable", e);
            return Optional.empty();
        }
    }

    /**
     * Returns the processes of a run whose supervisor is not known, with the group that the record
     * in its directory names.
     */
    public static RunProcesses strays(String run, Path directory, Machine machine) {
        return new RunProcesses(group(run, directory), 0, null, machine);
    }

    /** Returns the group that the record in this directory names for the run. */
    private static RunGroup group(String run, Path directory) {
        return record(run, directory).map(note -> group(run, note)).orElse(RunGroup.of(run));
    }

    private static RunGroup group(String run, JsonNode note) {
        var name = Json.text(note, "group");
        return name != null && RunGroup.isName(name) ? new RunGroup(run, name) : RunGroup.of(run);
    }

    /** Returns the name of the group that a run in this directory uses. */
    public static String groupOf(String run, Path directory) {
        return group(run, directory).name();
    }

    /**
     * Returns what an earlier process of this runner started for this run, live or ended; empty if
     * it started nothing.
     */
    public static Optional<Supervised> found(String run, Path directory, Machine machine) {
        return record(run, directory).flatMap(note -> found(run, note, directory, machine));
    }

    private static Optional<Supervised> found(
            String run, JsonNode note, Path directory, Machine machine) {
        var identity = Written.of(note, directory.resolve(SUPERVISOR));
        if (identity.isEmpty()) return Optional.empty();
        var written = identity.get();
        long pid = written.pid();
        var handle =
                machine.boot().equals(Json.text(note, "boot"))
                        ? ProcessHandle.of(pid).filter(written::isOf).orElse(null)
                        : null;
        var polite = Json.text(note, "stop_signal");
        var runProcesses =
                new RunProcesses(
                        group(run, note),
                        handle == null ? 0 : pid,
                        polite == null ? null : StopSignal.of(polite),
                        machine);
        return Optional.of(
                new Supervised(directory, handle, null, runProcesses, generations(note, machine)));
    }

    private static int generations(JsonNode note, Machine machine) {
        var generations = note.get("generations");
        return generations == null ? machine.containment().agentDepth() : generations.asInt();
    }

    /**
     * The identity of a supervisor, because its process id may be reused. The runner records it for
     * a supervisor that waited; one started for its agent writes it to a file.
     */
    private record Written(String line, Instant at) {
        static Optional<Written> of(JsonNode note, Path file) {
            var line = Json.text(note, SUPERVISOR);
            if (line != null) return Optional.of(new Written(line, Instant.MAX));
            if (!Files.exists(file)) return Optional.empty();
            try {
                var at = Files.getLastModifiedTime(file).toInstant();
                return Optional.of(new Written(RunFile.text(file).strip(), at));
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, file + " is unreadable", e);
                return Optional.empty();
            }
        }

        long pid() {
            var number = line.split(" ", 2)[0];
            return number.matches("\\d{1,18}") ? Long.parseLong(number) : 0;
        }

        /**
         * Compares start times in kernel ticks, which no clock change affects, where /proc has
         * them.
         */
        boolean isOf(ProcessHandle process) {
            return line.contains(" ")
                    ? ProcessInfo.hasStarted(process.pid(), line)
                    : process.info().startInstant().filter(s -> !s.isAfter(at)).isPresent();
        }
    }

    /** True while the agent runs. Its supervisor may stay longer, for processes it left behind. */
    public boolean isAlive() {
        return isSupervised() && !Files.exists(directory.resolve(EXIT));
    }

    private boolean isSupervised() {
        return supervisor != null && supervisor.isAlive() && !ProcessInfo.isDead(supervisor.pid());
    }

    /** Returns the resource use of the live processes of this run. */
    public ProcessUse use() {
        return ProcessUse.of(members().stream().map(RunProcesses.Member::pid).toList());
    }

    /** Returns the live processes of this run; none once the agent has ended. */
    public List<RunProcesses.Member> members() {
        return isAlive() ? runProcesses.members(generations) : List.of();
    }

    /** Waits for the agent to end. Returns the exit code that the supervisor recorded. */
    public int await() throws InterruptedException {
        // The supervisor usually ends with the agent, but stays while processes are left behind.
        while (started != null && isAlive()) {
            if (started.waitFor(LEFTOVERS_LOOK.toMillis(), TimeUnit.MILLISECONDS)) break;
            runProcesses.wakeSupervisor();
        }
        // The supervisor is not our child: its end is not reported, and we cannot reap it.
        while (started == null && isAlive()) {
            runProcesses.wakeSupervisor();
            Pause.of(LOOK);
        }
        return exit();
    }

    /** True if the agent's process got as far as opening its output. */
    public boolean hasStarted() {
        return Files.exists(stdout());
    }

    private int exit() {
        var file = directory.resolve(EXIT);
        try {
            var written = Files.exists(file) ? RunFile.text(file).strip() : "";
            // A full disk leaves an empty file behind.
            return written.matches("\\d{1,3}") ? Integer.parseInt(written) : UNKNOWN;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    /**
     * Asks the agent and everything it started to end, and kills what is left after the grace
     * period. Repeats while the agent is still to start.
     */
    public RunProcesses.Ending end(Duration grace) throws InterruptedException {
        var how = runProcesses.end(grace);
        while (how == RunProcesses.Ending.NOTHING_LEFT && isAlive()) {
            runProcesses.wakeSupervisor();
            Pause.of(START_LOOK);
            how = runProcesses.end(grace);
        }
        return how;
    }

    /** True if the agent ended at its own stop signal. */
    public boolean endedOnStopSignal() {
        return runProcesses.endedOnStopSignal();
    }

    /** Returns the name of the signal that ended the agent, as it is reported. */
    public String howItEnded() {
        return runProcesses.howItEnded();
    }

    /** Ends the processes that an ended agent left behind. */
    public RunProcesses.Ending endLeftovers(Duration grace) throws InterruptedException {
        return runProcesses.endLeftovers(grace);
    }

    /**
     * Suspends or resumes the run. Reads {@code wanted} when its turn comes, so the last state
     * wins. An agent that is still to be started is suspended as soon as it runs.
     */
    public void freeze(Supplier<Containment.Freezing> wanted) throws InterruptedException {
        runProcesses.freeze(wanted);
        while (wanted.get() == Containment.Freezing.FREEZE && isAlive() && runProcesses.isEmpty()) {
            runProcesses.wakeSupervisor();
            Pause.of(START_LOOK);
            runProcesses.freeze(wanted);
        }
    }

    /** Returns the limits that its processes reached together. */
    public List<String> limitsReached() {
        return runProcesses.limitsReached();
    }

    /** Ends the supervisor and removes its group. Call it when all processes have ended. */
    public void cleanUp() {
        runProcesses.cleanUp();
    }

    public Path stdout() {
        return directory.resolve(STDOUT);
    }

    public Path stderr() {
        return directory.resolve("stderr");
    }
}
