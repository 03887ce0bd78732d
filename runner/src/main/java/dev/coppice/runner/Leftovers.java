package dev.coppice.runner;

import dev.coppice.runner.process.Adopted;
import dev.coppice.runner.process.Census;
import dev.coppice.runner.process.Containment;
import dev.coppice.runner.process.Machine;
import dev.coppice.wire.fleet.ErrandAnswer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Processes on this machine that are left of runs nobody holds any more. */
final class Leftovers {
    private static final System.Logger LOG = System.getLogger("runner");
    private final Machine machine;
    private final Adopted adopted;

    Leftovers(Machine machine) {
        this.machine = machine;
        this.adopted = new Adopted(machine.census());
    }

    /** Ends what an earlier process of this runner has left, except of runs that are still held. */
    void endAllOf(String runner, Set<String> held) {
        var groups = held.stream().map(Containment::groupOf).collect(Collectors.toSet());
        // Control groups are left when a runner is killed; one with processes in it cannot be
        // removed.
        machine.containment().made().stream()
                .filter(group -> !groups.contains(group))
                .forEach(machine.containment()::leave);
        if (!Census.isPossible()) return;
        machine.census()
                .now()
                .runsOf(runner)
                .forEach((run, pids) -> {
                    if (held.contains(run)) return;
                    LOG.log(
                            System.Logger.Level.INFO,
                            "ending {0} processes of {1}, which is nobody''s any more",
                            pids.size(),
                            run);
                    Thread.ofVirtual().start(() -> end(run));
                });
    }

    private void end(String run) {
        try {
            var strays = machine.strays(run);
            strays.end(Duration.ZERO);
            strays.leave();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where no supervisor adopts, an orphan without a mark may be one of any run at work. */
    void endAdopted(boolean isAnyAtWork) {
        adopted.bury();
        if (machine.supervisor().adopts() || !isAnyAtWork) adopted.end();
    }

    /** Processes of this coordinator's runs, whichever runner started them. */
    List<ErrandAnswer.Item> processes(String coordinator) {
        if (!Census.isPossible()) return List.of();
        var found = new ArrayList<String>();
        machine.census().now().remains(coordinator).forEach(run -> found.add(run.run()));
        adopted.here()
                .forEach((pid, program) ->
                        found.add(ErrandAnswer.Item.OF_NO_KNOWN_RUN + pid + " (" + program + ")"));
        var none = List.<String>of();
        return List.of(ErrandAnswer.Item.processes("", none, found.size(), none, found));
    }
}
