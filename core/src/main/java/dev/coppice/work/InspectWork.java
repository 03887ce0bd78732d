package dev.coppice.work;

import dev.coppice.kernel.SessionId;
import dev.coppice.run.Ports;
import dev.coppice.word.Choice;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;

/** Has runners inspect work without changing it. The caller decides how long it waits. */
public final class InspectWork {
    public static final int PLACES_MAX = 2_000;
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

    /** A copy is needed until its backup is written, however large that is. */
    private static final Duration COPIES_FORGOTTEN_AFTER = Duration.ofDays(1);

    private final Ports ports;
    private final DirectoryTasks tasks;

    public InspectWork(Ports ports, DirectoryTasks tasks) {
        this.ports = ports;
        this.tasks = tasks;
    }

    /**
     * Requests an inspection on the terms of preservation: content that would not be preserved is
     * not searched.
     */
    public List<DirectoryTasks.Created> ask(
            SessionId top,
            DirectoryTasks.Reach reach,
            Choice.Ignored ignored,
            Choice.Directories directories) {
        return ports.transactions()
                .write(() -> {
                    if (ports.sessions().find(top).isEmpty()) return List.of();
                    var terms =
                            new DirectoryTask.Terms(ignored, directories, ports.clock().instant());
                    var around = new DirectoryTasks.Around(top, reach);
                    return tasks.inspect(around, DirectoryTask.Kind.INSPECT, terms, PLACES_MAX);
                });
    }

    /** Requests copies, in files, of the unsaved work in a tree that stays. */
    public List<DirectoryTasks.Created> copy(SessionId top) {
        return ports.transactions()
                .write(() -> {
                    var around = new DirectoryTasks.Around(top, DirectoryTasks.Reach.TREE);
                    var terms = DirectoryTask.Terms.at(ports.clock().instant());
                    return tasks.inspect(around, DirectoryTask.Kind.COPY, terms, PLACES_MAX);
                });
    }

    /**
     * Returns the completed copies and deletes the other tasks, so that late results are refused.
     */
    public Copied finishCopies(List<DirectoryTasks.Created> asked) {
        return ports.transactions()
                .write(() -> {
                    var done = asked.stream().filter(a -> tasks.isCompleted(a.id())).toList();
                    var left = asked.stream().filter(a -> !done.contains(a)).toList();
                    tasks.delete(left.stream().map(DirectoryTasks.Created::id).toList());
                    return new Copied(
                            done.stream().map(DirectoryTasks.Created::id).toList(),
                            left.stream().map(DirectoryTasks.Created::host).distinct().toList());
                });
    }

    /** The completed copies, and the hosts without one. */
    public record Copied(List<DirectoryTaskId> tasks, List<String> notPreserved) {}

    /** Deletes copies, once the backup holds them or was given up. */
    public void forget(List<DirectoryTaskId> copies) {
        ports.transactions()
                .write(() -> {
                    tasks.delete(copies);
                    return copies;
                });
    }

    /**
     * Has these hosts search for refs, processes and directories that the database does not know.
     */
    public List<DirectoryTasks.Created> check(List<String> hosts) {
        return ports.transactions()
                .write(() -> {
                    var terms = DirectoryTask.Terms.at(ports.clock().instant());
                    return tasks.inspectHosts(hosts, terms, PLACES_MAX);
                });
    }

    /** True if all inspections are over, failed ones included. */
    public boolean isSeen(List<DirectoryTasks.Created> asked) {
        return ports.transactions().read(() -> asked.stream().noneMatch(a -> tasks.isOpen(a.id())));
    }

    /** Returns the work found so far, and deletes the tasks. */
    public InspectedWork collect(List<DirectoryTasks.Created> asked) {
        if (asked.isEmpty()) return InspectedWork.NOTHING;
        return ports.transactions()
                .write(() -> {
                    var unseen = new LinkedHashSet<String>();
                    var failures = new HashMap<String, String>();
                    for (var a : asked) {
                        if (tasks.isCompleted(a.id())) continue;
                        unseen.add(a.host());
                        tasks.failure(a.id()).ifPresent(why -> failures.put(a.host(), why));
                    }
                    var ids = asked.stream().map(DirectoryTasks.Created::id).toList();
                    var found = InspectedWork.of(tasks.found(ids), List.copyOf(unseen), failures);
                    tasks.delete(ids);
                    return found;
                });
    }

    /** Deletes inspections and copies that were never collected; returns how many. */
    public int deleteUncollected() {
        var now = ports.clock().instant();
        var looks = now.minus(FORGOTTEN_AFTER);
        var copies = now.minus(COPIES_FORGOTTEN_AFTER);
        return ports.transactions().write(() -> tasks.deleteInspections(looks, copies));
    }
}
