package dev.coppice.runner;

import dev.coppice.runner.directory.AgentDirectories;
import dev.coppice.runner.process.AdoptedOrphans;
import dev.coppice.runner.process.Machine;
import dev.coppice.runner.process.ProcessTable;
import dev.coppice.runner.process.Supervised;
import dev.coppice.thread.Threads;
import dev.coppice.wire.fleet.DirectoryTaskResult;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds and ends processes on this machine whose run is no longer held by this runner. */
final class Leftovers {
    private static final System.Logger LOG = System.getLogger("runner");
    private final Machine machine;
    private final AgentDirectories directories;
    private final AdoptedOrphans adopted;

    Leftovers(Machine machine, AgentDirectories directories) {
        this.machine = machine;
        this.directories = directories;
        this.adopted = new AdoptedOrphans(machine.processTable());
    }

    /**
     * Removes this runner's leftover control groups and ends the processes that carry its mark,
     * except those of the runs in {@code held}.
     */
    void endUnheld(String runner, Set<String> held) {
        var groups =
                held.stream()
                        .map(run -> Supervised.groupOf(run, directories.outputOf(run)))
                        .collect(Collectors.toSet());
        // Removes empty groups of a killed runner. An occupied one stays until its processes, which
        // are ended below, are gone.
        machine.containment().leftBehind().stream()
                .filter(group -> !groups.contains(group))
                .forEach(machine.containment()::cleanUp);
        if (!ProcessTable.isPossible()) return;
        machine.processTable()
                .now()
                .runsOf(runner)
                .forEach((run, pids) -> {
                    if (held.contains(run)) return;
                    LOG.log(
                            System.Logger.Level.INFO,
                            "ending {0} processes of {1}: this runner no longer holds its lease",
                            pids.size(),
                            run);
                    Threads.virtual("leftover-" + run).start(() -> end(run));
                });
    }

    private void end(String run) {
        try {
            var strays = Supervised.strays(run, directories.outputOf(run), machine);
            strays.end(Duration.ZERO);
            strays.cleanUp();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Reaps dead orphans. Ends unmarked ones if supervisors adopt their own orphans, or if no run
     * is live; otherwise an orphan could belong to a live run.
     */
    void endAdopted(boolean isAnyRunLive) {
        adopted.reap();
        if (machine.supervisor().adopts() || !isAnyRunLive) adopted.end();
    }

    /**
     * Returns the runs of this coordinator that have processes on this machine, whichever runner
     * started them, and the orphans of no known run.
     */
    List<DirectoryTaskResult.Item> processes(String coordinator) {
        if (!ProcessTable.isPossible()) return List.of();
        var found = new ArrayList<String>();
        machine.processTable().now().remains(coordinator).forEach(run -> found.add(run.run()));
        var orphans = new ArrayList<String>();
        adopted.endable().forEach((pid, program) -> orphans.add("%d (%s)".formatted(pid, program)));
        var none = List.<String>of();
        return List.of(
                DirectoryTaskResult.Item.processes("", none, found.size(), found),
                DirectoryTaskResult.Item.listed("", "orphans", orphans));
    }
}
