package dev.coppice.runner.process;

import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One agent at work beside its supervisor, a shell that outlives the runner and writes down how the
 * agent ended. So a runner that starts anew finds again what its earlier life has left.
 */
public final class Supervised {
    /** No exit was written down: someone has ended the supervisor itself. */
    public static final int UNKNOWN = -1;

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration LEFTOVERS_LOOK = Duration.ofMillis(200);
    private static final String EXIT = "exit";
    private static final String NOTE = "process.json";
    private static final String SUPERVISOR = "supervisor";
    private final Path directory;
    private final @Nullable ProcessHandle supervisor;
    private final @Nullable Process started;
    private final Crew crew;
    private final Kin kin;

    private Supervised(
            Path directory,
            @Nullable ProcessHandle supervisor,
            @Nullable Process started,
            Crew crew,
            Kin kin) {
        this.started = started;
        this.directory = directory;
        this.supervisor = supervisor;
        this.crew = crew;
        this.kin = kin;
    }

    /** How far below its supervisor the agent is, and who always belongs to it. */
    private record Kin(int generations, List<String> helpers) {}

    /** What starting one takes: what it runs, where, and what it finds in its environment. */
    public record Order(
            String run,
            List<String> command,
            Path workplace,
            Map<String, String> environment,
            @Nullable StopSignal polite,
            List<String> helpers,
            ClaimedRun.Share share) {
        public Order {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
            helpers = List.copyOf(helpers);
        }
    }

    public static Supervised start(Order order, Path directory, Machine machine)
            throws IOException {
        Files.deleteIfExists(directory.resolve(EXIT));
        Files.deleteIfExists(directory.resolve(SUPERVISOR));
        note(directory, order, machine);
        var line = new ArrayList<>(machine.detached());
        line.addAll(machine.supervisor().beside(directory, order.environment()));
        line.addAll(machine.containment().enter(order.run(), order.command()));
        machine.containment().limit(order.run(), order.share());
        var builder = new ProcessBuilder(line).directory(order.workplace().toFile());
        builder.environment().clear();
        builder.environment().putAll(order.environment());
        var nothing = new java.io.File("/dev/null");
        builder.redirectInput(nothing).redirectOutput(nothing).redirectError(nothing);
        var process = builder.start();
        machine.census().startedHere(process.pid());
        return new Supervised(
                directory,
                process.toHandle(),
                process,
                machine.crew(order.run(), process.pid(), order.polite()),
                new Kin(machine.containment().generations(), order.helpers()));
    }

    /**
     * Writes down what a restarted runner must know; the supervisor writes down its own identity.
     */
    private static void note(Path directory, Order order, Machine machine) throws IOException {
        var note =
                Json.object()
                        .put("boot", machine.boot())
                        .put("generations", machine.containment().generations());
        note.set("helpers", Json.tree(order.helpers()));
        if (order.polite() != null) note.put("stop_signal", order.polite().name());
        var part = directory.resolve(NOTE + ".part");
        Files.writeString(part, note.toString());
        Files.move(part, directory.resolve(NOTE), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * What an earlier life has started for this run, living or not; nothing when it started none.
     */
    public static Optional<Supervised> found(String run, Path directory, Machine machine) {
        var file = directory.resolve(SUPERVISOR);
        if (!Files.exists(file)) return Optional.empty();
        try {
            JsonNode note = Json.read(Files.readString(directory.resolve(NOTE)));
            var written = Written.in(file);
            long pid = written.pid();
            var handle =
                    machine.boot().equals(Json.text(note, "boot"))
                            ? ProcessHandle.of(pid).filter(written::isOf).orElse(null)
                            : null;
            var polite = Json.text(note, "stop_signal");
            var crew =
                    machine.crew(
                            run,
                            handle == null ? 0 : pid,
                            polite == null ? null : StopSignal.of(polite));
            return Optional.of(new Supervised(directory, handle, null, crew, kin(note, machine)));
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static Kin kin(JsonNode note, Machine machine) {
        var generations = note.get("generations");
        var helpers = new ArrayList<String>();
        var noted = note.get("helpers");
        if (noted != null) noted.forEach(name -> helpers.add(name.asString()));
        return new Kin(
                generations == null ? machine.containment().generations() : generations.asInt(),
                List.copyOf(helpers));
    }

    /** A supervisor's own record of its identity; its process number alone may have been reused. */
    private record Written(String line, Instant at) {
        static Written in(Path file) throws IOException {
            return new Written(
                    Files.readString(file).strip(), Files.getLastModifiedTime(file).toInstant());
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
                    ? Census.hasStarted(process.pid(), line)
                    : process.info().startInstant().filter(s -> !s.isAfter(at)).isPresent();
        }
    }

    /** Whether the agent is at work; its supervisor may stay longer, beside what it has left. */
    public boolean isAlive() {
        return isSupervised() && !Files.exists(directory.resolve(EXIT));
    }

    private boolean isSupervised() {
        return supervisor != null && supervisor.isAlive() && !Census.isDead(supervisor.pid());
    }

    /** Everyone who is at work for this run now, and what each is there for. */
    public List<Crew.Member> members() {
        return isAlive() ? crew.members(kin.generations(), kin.helpers()) : List.of();
    }

    /** Returns when the agent has ended, with what the supervisor has written down. */
    public int await() throws InterruptedException {
        // The supervisor mostly goes at once; it stays where the agent has left something behind.
        while (started != null && isAlive()) {
            if (started.waitFor(LEFTOVERS_LOOK.toMillis(), TimeUnit.MILLISECONDS)) break;
            crew.wakeSupervisor();
        }
        // Nobody tells of the end of a process that is not our child, and nobody may bury it.
        while (started == null && isAlive()) {
            crew.wakeSupervisor();
            boolean never = new CountDownLatch(1).await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            if (never) throw new IllegalStateException("nobody opens this latch");
        }
        return exit();
    }

    private int exit() {
        var file = directory.resolve(EXIT);
        try {
            var written = Files.exists(file) ? Files.readString(file).strip() : "";
            // A full disk leaves an empty file behind.
            return written.matches("\\d{1,3}") ? Integer.parseInt(written) : UNKNOWN;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    /** Ends the agent and everything it has started, giving it this long to end by itself. */
    public Crew.Ending end(Duration grace) throws InterruptedException {
        return crew.end(grace);
    }

    /** What it took to end the agent, in the words in which such ends are reported. */
    public boolean hasAgreed() {
        return crew.hasAgreed();
    }

    public String howItEnded() {
        return crew.howItEnded();
    }

    /** Ends what an agent that has ended has left behind. */
    public Crew.Ending endLeftovers(Duration grace) throws InterruptedException {
        return crew.endLeftovers(grace);
    }

    /** As is wanted in the moment in which its turn has come. */
    public void freeze(Supplier<Containment.Freezing> wanted) throws InterruptedException {
        crew.freeze(wanted);
    }

    /** Which limits its processes have met together. */
    public List<String> limitsMet() {
        return crew.limitsMet();
    }

    /** Everything has ended and was told; what was made for it is taken away. */
    public void leave() {
        crew.leave();
    }

    public Path stdout() {
        return directory.resolve("stdout");
    }

    public Path stderr() {
        return directory.resolve("stderr");
    }
}
