package dev.coppice.runner;

import dev.coppice.runner.directory.AgentDirectories;
import dev.coppice.runner.process.Machine;
import dev.coppice.runner.process.RunProcesses;
import dev.coppice.runner.process.Supervised;
import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.DirectoryTaskResult;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The live processes of the inspected sessions, whichever runner of this host started them. */
final class LiveProcesses {
    private static final int NAMED_MAX = 20;
    private final DirectoryTaskOrder order;
    private final Machine machine;

    LiveProcesses(DirectoryTaskOrder order, Machine machine) {
        this.order = order;
        this.machine = machine;
    }

    /** Returns one item for each session that has live processes. */
    List<DirectoryTaskResult.Item> items() {
        var places = new LinkedHashMap<String, DirectoryTaskOrder.Place>();
        order.places().forEach(place -> places.putIfAbsent(place.sessionId(), place));
        var bySession = new LinkedHashMap<String, List<RunProcesses.Member>>();
        var roots =
                order.places().stream().map(DirectoryTaskOrder.Place::outputs).distinct().toList();
        for (var root : roots) {
            for (var run : order.runs())
                look(Path.of(root).resolve(AgentDirectories.safe(run)), bySession);
        }
        var items = new ArrayList<DirectoryTaskResult.Item>();
        for (var entry : bySession.entrySet()) {
            var place = places.get(entry.getKey());
            if (place != null) items.add(item(place, entry.getValue()));
        }
        return items;
    }

    private void look(Path directory, Map<String, List<RunProcesses.Member>> bySession) {
        HeldRun.at(directory)
                .ifPresent(hold -> {
                    Optional<Supervised> found = Supervised.found(hold.runId(), directory, machine);
                    var members = found.map(Supervised::members).orElse(List.of());
                    if (members.isEmpty()) return;
                    bySession
                            .computeIfAbsent(hold.sessionId(), _ -> new ArrayList<>())
                            .addAll(members);
                });
    }

    private static DirectoryTaskResult.Item item(
            DirectoryTaskOrder.Place place, List<RunProcesses.Member> members) {
        var named =
                members.stream().limit(NAMED_MAX).map(m -> "%s (%d)".formatted(name(m), m.pid()));
        return DirectoryTaskResult.Item.processes(
                place.directory(), List.of(place.sessionName()), members.size(), named.toList());
    }

    /** Replaces control characters, because a program chooses its own name. */
    private static String name(RunProcesses.Member member) {
        return member.program().replaceAll("\\p{Cntrl}", "?");
    }
}
