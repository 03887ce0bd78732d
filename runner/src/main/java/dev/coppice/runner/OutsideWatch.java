package dev.coppice.runner;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Refused;
import dev.coppice.runner.outside.RunningProgram;
import dev.coppice.runner.process.ForeignProcess;
import dev.coppice.wire.fleet.ProcessCalls;
import dev.coppice.wire.fleet.ProcessCalls.Order;
import dev.coppice.wire.fleet.ProcessCalls.Report;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Watches the processes of programs that Coppice did not start, and ends those that a person lets
 * Coppice end, with their descendants.
 */
final class OutsideWatch {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration BUSY = Duration.ofSeconds(1);
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final Station station;
    private final Map<Long, Ending> endings = new HashMap<>();
    private List<Report> news = List.of();
    private Duration pause = QUIET;

    OutsideWatch(Station station) {
        this.station = station;
    }

    /** Waits, then looks once. */
    void watch() {
        if (station.waited(pause)) return;
        pause = QUIET;
        settle();
        if (station.id().isEmpty()) return;
        try {
            pause = look(station.id());
        } catch (CoppiceClient.Unreachable | Refused e) {
            LOG.log(System.Logger.Level.DEBUG, "watching processes; will go on", e);
        }
    }

    /** A program that is being ended, with its descendants, and the deadline. */
    private record Ending(List<ProcessHandle> processes, long deadlineNanos) {
        static Ending of(ProcessHandle program, long leftMillis) {
            var spared = ourselves();
            var all = new ArrayList<>(List.of(program));
            program.descendants().filter(one -> !spared.contains(one)).forEach(all::add);
            long until = System.nanoTime() + Duration.ofMillis(leftMillis).toNanos();
            return new Ending(List.copyOf(all), until);
        }

        /** Returns this runner, its ancestors and descendants: the program may have started it. */
        private static Set<ProcessHandle> ourselves() {
            var spared = new HashSet<ProcessHandle>();
            var self = ProcessHandle.current();
            self.descendants().forEach(spared::add);
            Optional<ProcessHandle> next = Optional.of(self);
            while (next.isPresent() && spared.add(next.get())) next = next.get().parent();
            return spared;
        }

        boolean isOver() {
            return processes.stream()
                    .noneMatch(one -> one.isAlive() && ForeignProcess.start(one.pid()).isPresent());
        }

        boolean isDue() {
            return System.nanoTime() - deadlineNanos >= 0;
        }
    }

    /** Kills the remaining processes of a program at its deadline. */
    private void settle() {
        for (var pid : List.copyOf(endings.keySet())) {
            var ending = endings.get(pid);
            if (ending == null || !(ending.isDue() || ending.isOver())) continue;
            ending.processes().forEach(ProcessHandle::destroyForcibly);
            if (ending.isOver()) endings.remove(pid);
        }
    }

    /** Reports and looks again; returns the time until the next look. */
    private Duration look(String id) {
        var answer = station.client().call(ProcessCalls.REPORT, new ProcessCalls.Reports(id, news));
        var orders = answer.value().processes();
        var next = new ArrayList<Report>();
        for (var order : orders) {
            try {
                var report = look(order);
                if (report != null) next.add(report);
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "watching process " + order.pid(), e);
            }
        }
        news = List.copyOf(next);
        if (!news.isEmpty()) return Duration.ZERO;
        return orders.isEmpty() && endings.isEmpty() ? QUIET : BUSY;
    }

    /** Returns the change since the last report on the process; null if there is none. */
    private @Nullable Report look(Order order) {
        if (order.start() == null) return new Report(order.sessionId(), order.pid(), claim(order));
        boolean isThere =
                ForeignProcess.start(order.pid()).filter(order.start()::equals).isPresent();
        if (!isThere) return new Report(order.sessionId(), order.pid(), null);
        var left = order.endWithinMs();
        if (left != null && !endings.containsKey(order.pid())) {
            ProcessHandle.of(order.pid()).ifPresent(process -> end(process, left));
        }
        return null;
    }

    private void end(ProcessHandle process, long leftMillis) {
        var ending = Ending.of(process, leftMillis);
        endings.put(process.pid(), ending);
        for (var one : ending.processes()) {
            if (one.destroy() || !one.isAlive()) continue;
            var what = "cannot end process {0}; it is of another user";
            LOG.log(System.Logger.Level.WARNING, what, Long.toString(one.pid()));
        }
    }

    /**
     * Returns the start of a claimed process; null unless it is of the claimed program and works in
     * the directory of the session.
     */
    private static @Nullable String claim(Order order) {
        var directory = order.projectDir();
        if (directory == null) return null;
        return RunningProgram.at(order.pid())
                .filter(one -> one.program() == order.program())
                .filter(one -> real(Path.of(directory)).equals(one.directory()))
                .map(RunningProgram::start)
                .orElse(null);
    }

    /** The kernel knows a directory by its path without links. */
    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException _) {
            return directory;
        }
    }
}
