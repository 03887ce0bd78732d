package dev.coppice.runner;

import dev.coppice.runner.outside.RunningProgram;
import dev.coppice.wire.fleet.ProcessCalls;
import dev.coppice.wire.fleet.ProcessCalls.Order;
import dev.coppice.wire.fleet.ProcessCalls.Report;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Watches the processes of programs that Coppice did not start, and ends those that a person lets
 * Coppice end. Other programs that such a process started end with it.
 */
final class OutsideWatch implements Runnable {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration BUSY = Duration.ofSeconds(1);
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final Runner runner;
    private final Map<Long, Ending> endings = new HashMap<>();
    private List<Report> news = List.of();

    OutsideWatch(Runner runner) {
        this.runner = runner;
    }

    @Override
    public void run() {
        var pause = QUIET;
        while (!runner.waited(pause)) {
            try {
                pause = runner.id().isEmpty() ? QUIET : look(runner.id());
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, "watching processes; will go on", e);
                pause = QUIET;
            }
        }
    }

    /** A process that is being ended, with what it had started by then. */
    private record Ending(ProcessHandle process, List<ProcessHandle> below) {
        static Ending of(ProcessHandle process) {
            var spared = ourselves();
            var below =
                    process.descendants()
                            .filter(one -> spared.stream().noneMatch(one::equals))
                            .toList();
            return new Ending(process, below);
        }

        /** A program may have started the coordinator: that, and all above it, goes on. */
        private static Set<ProcessHandle> ourselves() {
            var spared = new HashSet<ProcessHandle>();
            var self = ProcessHandle.current();
            self.descendants().forEach(spared::add);
            Optional<ProcessHandle> next = Optional.of(self);
            while (next.isPresent() && spared.add(next.get())) next = next.get().parent();
            return spared;
        }

        void force() {
            process.destroyForcibly();
            below.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Reports and looks again; returns the time until the next look. */
    private Duration look(String id) {
        var answer = runner.client().call(ProcessCalls.REPORT, new ProcessCalls.Reports(id, news));
        if (!answer.isGood()) throw new IllegalStateException("processes: " + answer.error());
        var orders = answer.value().processes();
        var next = new ArrayList<Report>();
        for (var order : orders) {
            var report = look(order);
            if (report != null) next.add(report);
        }
        endings.keySet().removeIf(pid -> orders.stream().noneMatch(o -> o.pid() == pid));
        boolean isNew = !next.isEmpty();
        news = List.copyOf(next);
        return isNew ? Duration.ZERO : orders.isEmpty() ? QUIET : BUSY;
    }

    /** What has changed since the coordinator last heard of the process; null if nothing. */
    private @Nullable Report look(Order order) {
        var started = order.startedAt();
        if (started == null) return first(order);
        var process = RunningProgram.process(order.pid(), Instant.parse(started));
        var left = order.endWithinMs();
        if (process.isPresent()) {
            if (left != null) end(process.get(), left);
            return order.isSeen() ? null : report(order, started);
        }
        var ending = endings.remove(order.pid());
        if (ending != null) ending.force();
        return report(order, null);
    }

    private static Report report(Order order, @Nullable String started) {
        return new Report(order.sessionId(), order.pid(), started);
    }

    private void end(ProcessHandle process, long left) {
        var ending = endings.get(process.pid());
        if (ending == null) {
            endings.put(process.pid(), Ending.of(process));
            process.destroy();
        } else if (left == 0) {
            ending.force();
        }
    }

    /** A hook named a number; only a process of its program, in its directory, can be meant. */
    private static Report first(Order order) {
        var running =
                RunningProgram.at(order.pid())
                        .filter(one -> one.program() == order.program() && isThere(one, order))
                        .map(one -> one.started().toString())
                        .orElse(null);
        return report(order, running);
    }

    private static boolean isThere(RunningProgram running, Order order) {
        var directory = order.projectDir();
        var actual = running.directory();
        return directory == null || actual == null || actual.equals(real(Path.of(directory)));
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
