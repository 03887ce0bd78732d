package dev.coppice.work;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Hands tasks to runners, and records their reports. */
public final class HandleTasks {
    private static final int AT_ONCE_MAX = 8;

    /** More than the directories that one report of preserved work can name. */
    private static final int RELEASED_AT_ONCE = 100_000;

    private static final Duration RELEASED_AGAIN = Duration.ofHours(1);
    private final Ports ports;
    private final DirectoryTasks tasks;

    public HandleTasks(Ports ports, DirectoryTasks tasks) {
        this.ports = ports;
        this.tasks = tasks;
    }

    public List<DirectoryTask> claim(String host, RunnerId runner) {
        var asked = ports.clock().instant();
        boolean isIdle =
                ports.transactions()
                        .read(() ->
                                tasks.claimable(host, runner, asked, 1).isEmpty()
                                        && !tasks.awaitsAcknowledgement(host, runner, asked));
        if (isIdle) return List.of();
        return ports.transactions()
                .write(() -> {
                    // Read the clock after waiting for the write lock, so that claims get their
                    // full time.
                    var now = ports.clock().instant();
                    tasks.acknowledge(host, runner, now);
                    // Another runner may have been faster.
                    return tasks.claimable(host, runner, now, AT_ONCE_MAX).stream()
                            .filter(id -> tasks.tryClaim(id, runner, now))
                            .flatMap(id -> tasks.find(id).stream())
                            .toList();
                });
    }

    /** The task while it is open. A report on a task that is over changes nothing. */
    public Optional<DirectoryTask> findOpen(DirectoryTaskId id) {
        return ports.transactions()
                .read(() -> tasks.isOpen(id) ? tasks.find(id) : Optional.empty());
    }

    /** Completes a task. A repeated report, or one on a task that is over, is ignored. */
    public Outcome<DirectoryTaskId> complete(DirectoryTaskId id, List<WorkItem> items) {
        return ports.transactions()
                .write(() -> {
                    var task = tasks.find(id);
                    if (task.isEmpty() || !tasks.isOpen(id)) return Outcome.done(id);
                    // The work was only preserved this time; the next attempt deletes its
                    // directory.
                    boolean again = task.get().kind().deletesDirectories() && !items.isEmpty();
                    if (again) addItems(id, items);
                    else tasks.complete(id, ports.clock().instant(), items);
                    if (task.get().kind() == DirectoryTask.Kind.PRESERVE) releaseMore(task.get());
                    tell();
                    return Outcome.done(id);
                });
    }

    private void addItems(DirectoryTaskId id, List<WorkItem> items) {
        var known = tasks.found(List.of(id));
        var more = items.stream().filter(item -> !known.contains(item)).toList();
        if (!more.isEmpty()) tasks.addItems(id, more);
    }

    /** Releases work that was preserved after the removal was cancelled, like earlier work. */
    private void releaseMore(DirectoryTask preserved) {
        var removal = preserved.removal();
        if (removal == null || tasks.idsOf(removal, DirectoryTask.Kind.RELEASE).isEmpty()) return;
        tasks.create(removal, DirectoryTask.Kind.RELEASE, preserved.terms(), RELEASED_AT_ONCE);
    }

    public Outcome<DirectoryTaskId> fail(DirectoryTaskId id, String why) {
        return ports.transactions()
                .write(() -> {
                    if (tasks.isOpen(id)) {
                        tasks.fail(id, ports.clock().instant(), why);
                        tell();
                    }
                    return Outcome.done(id);
                });
    }

    /** Retries failed releases without limit, because nothing waits for them. */
    public int retryReleases() {
        var before = ports.clock().instant().minus(RELEASED_AGAIN);
        return ports.transactions().write(() -> tasks.retryReleases(before));
    }

    private void tell() {
        ports.signals().raise(new Topic.RemovalDue());
        ports.signals().raise(new Topic.TaskOver());
    }
}
