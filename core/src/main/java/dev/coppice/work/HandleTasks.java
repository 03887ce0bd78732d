package dev.coppice.work;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Hands tasks to runners, and takes what they say. */
public final class HandleTasks {
    private static final int AT_ONCE_MAX = 8;

    /** More than one keep can tell of. */
    private static final int RELEASED_AT_ONCE = 100_000;

    private static final Duration RELEASED_AGAIN = Duration.ofHours(1);
    private final Desk desk;
    private final DirectoryTasks tasks;

    public HandleTasks(Desk desk, DirectoryTasks tasks) {
        this.desk = desk;
        this.tasks = tasks;
    }

    public List<DirectoryTask> claim(String host, RunnerId runner) {
        var asked = desk.clock().instant();
        boolean isIdle =
                desk.transactions()
                        .read(() ->
                                tasks.claimable(host, runner, asked, 1).isEmpty()
                                        && !tasks.awaitsAcknowledgement(host, runner, asked));
        if (isIdle) return List.of();
        return desk.transactions()
                .write(() -> {
                    // Who waited to write must not hand out for less time than it should.
                    var now = desk.clock().instant();
                    tasks.acknowledge(host, runner, now);
                    // Someone else may have been faster.
                    return tasks.claimable(host, runner, now, AT_ONCE_MAX).stream()
                            .filter(id -> tasks.tryClaim(id, runner, now))
                            .flatMap(id -> tasks.find(id).stream())
                            .toList();
                });
    }

    /** As long as it is wanted; what comes later changes nothing any more. */
    public Optional<DirectoryTask> findOpen(DirectoryTaskId id) {
        return desk.transactions().read(() -> tasks.isOpen(id) ? tasks.find(id) : Optional.empty());
    }

    /** Saying it twice is saying it once; of what nobody waits for any more nothing is kept. */
    public Outcome<DirectoryTaskId> complete(DirectoryTaskId id, List<WorkItem> items) {
        return desk.transactions()
                .write(() -> {
                    var task = tasks.find(id);
                    if (task.isEmpty() || !tasks.isOpen(id)) return Outcome.done(id);
                    // What was only kept now is taken away when it is asked for once more.
                    boolean again = task.get().kind().takesAway() && !items.isEmpty();
                    if (again) addItems(id, items);
                    else tasks.complete(id, desk.clock().instant(), items);
                    if (task.get().kind() == DirectoryTask.Kind.KEEP) releaseMore(task.get());
                    tell();
                    return Outcome.done(id);
                });
    }

    private void addItems(DirectoryTaskId id, List<WorkItem> items) {
        var known = tasks.found(List.of(id));
        var more = items.stream().filter(item -> !known.contains(item)).toList();
        if (!more.isEmpty()) tasks.addItems(id, more);
    }

    /** What was kept while its removal was called off goes as what was kept before does. */
    private void releaseMore(DirectoryTask preserved) {
        var removal = preserved.removal();
        if (removal == null || tasks.idsOf(removal, DirectoryTask.Kind.RELEASE).isEmpty()) return;
        tasks.create(removal, DirectoryTask.Kind.RELEASE, preserved.terms(), RELEASED_AT_ONCE);
    }

    public Outcome<DirectoryTaskId> fail(DirectoryTaskId id, String why) {
        return desk.transactions()
                .write(() -> {
                    if (tasks.isOpen(id)) {
                        tasks.fail(id, desk.clock().instant(), why);
                        tell();
                    }
                    return Outcome.done(id);
                });
    }

    /** Nobody waits for a release, so it is tried until it can be done. */
    public int retryReleases() {
        var before = desk.clock().instant().minus(RELEASED_AGAIN);
        return desk.transactions().write(() -> tasks.retryReleases(before));
    }

    private void tell() {
        desk.signals().raise(new Topic.RemovalDue());
        desk.signals().raise(new Topic.TaskOver());
    }
}
