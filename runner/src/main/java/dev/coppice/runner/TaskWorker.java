package dev.coppice.runner;

import dev.coppice.runner.directory.TaskWork;
import dev.coppice.runner.process.OwnProcesses;
import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Reason;
import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.DirectoryTaskResult;
import dev.coppice.wire.fleet.RunnerCalls;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The directory tasks this runner is working on. A task that arrives twice is started once. */
final class TaskWorker {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final int TRIES_MAX = 30;
    private static final Set<String> CHANGE_NO_FILES =
            Set.of("inspect", "copy", "check", "release");
    private final Station station;
    private final Leftovers leftovers;
    private final Predicate<Set<String>> isAtWorkFor;
    private final Path directory;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    TaskWorker(Station station, Leftovers leftovers, Predicate<Set<String>> isAtWorkFor) {
        this.station = station;
        this.leftovers = leftovers;
        this.isAtWorkFor = isAtWorkFor;
        this.directory = station.settings().directory();
    }

    /**
     * Discards what an earlier process of this runner left unfinished. The caller has locked the
     * directory.
     */
    void clear() {
        try {
            TaskWork.clear(directory);
            var copies = TaskWork.takeUnfinishedCopies(directory);
            // Git can be slow, and agents must not wait for it.
            Threads.virtual("copies").start(() -> copies.forEach(TaskWorker::forget));
        } catch (IOException | PreservationFailed e) {
            LOG.log(System.Logger.Level.WARNING, "clearing the scratch files of " + directory, e);
        }
    }

    private static void forget(Path copy) {
        try {
            TaskWork.forget(copy);
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "removing the refs listed in " + copy, e);
        }
    }

    void begin(DirectoryTaskOrder order) {
        if (!underWay.add(order.taskId())) return;
        Threads.virtual(order.taskId()).start(() -> go(order));
    }

    private void go(DirectoryTaskOrder order) {
        try {
            if (!CHANGE_NO_FILES.contains(order.kind()) && !isQuiet(order)) {
                send(
                        order,
                        new DirectoryTaskResult(
                                station.id(), "an agent is still running there", null));
                return;
            }
            var work =
                    new TaskWork(
                            order, directory, station.settings().archiveMax(), station.client());
            var answer =
                    OwnProcesses.within(
                            "task-" + order.taskId(),
                            station.machine(),
                            () -> work.execute(station.id()));
            if (order.kind().equals("inspect")) {
                answer = answer.with(new LiveProcesses(order, station.machine()).items());
            }
            if (order.kind().equals("check")) {
                var url = station.settings().coordinator().toString();
                answer = answer.with(leftovers.processes(url));
            }
            if (send(order, answer)) work.confirmed();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "directory task " + order.taskId(), e);
            send(order, new DirectoryTaskResult(station.id(), Reason.of(e), null));
        } finally {
            underWay.remove(order.taskId());
        }
    }

    /**
     * Waits until this runner holds no run of these sessions; false if it gave up. Files that are
     * preserved while an agent writes them would be torn.
     */
    private boolean isQuiet(DirectoryTaskOrder order) {
        var sessions =
                order.places().stream()
                        .map(DirectoryTaskOrder.Place::sessionId)
                        .collect(Collectors.toSet());
        for (int i = 0; i < TRIES_MAX && station.isOpen(); i++) {
            if (!isAtWorkFor.test(sessions)) return true;
            if (station.waited(AGAIN_AFTER)) return false;
        }
        return false;
    }

    /**
     * Reports the result, with retries; false if it was not accepted. A task whose result did not
     * arrive is sent and done again.
     */
    private boolean send(DirectoryTaskOrder order, DirectoryTaskResult answer) {
        for (int i = 0; i < TRIES_MAX && station.isOpen(); i++) {
            try {
                var done = new RunnerCalls.TaskDone(order.taskId(), answer);
                var reply = station.client().call(RunnerCalls.TASK_DONE, done);
                if (reply.isGood()) return true;
                LOG.log(System.Logger.Level.INFO, "{0}: {1}", order.taskId(), reply.error());
                if (reply.status() < 500) return false;
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, "reporting a directory task; will retry", e);
            }
            if (station.waited(AGAIN_AFTER)) return false;
        }
        return false;
    }
}
