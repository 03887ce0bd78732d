package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Paging;
import dev.coppice.wire.fleet.FleetCalls;

import java.util.ArrayList;
import java.util.List;

/** Lists the runners. */
final class RunnersCommand implements Command {
    @Override
    public String name() {
        return "runners";
    }

    @Override
    public Usage usage() {
        return Usage.of("List the runners", List.of(), List.of(), "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var find = new FleetCalls.Find(Paging.FIRST);
        var found = Connection.open(args, console).ask(FleetCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var runner : found.value().runners()) {
            rows.add(
                    List.of(
                            runner.runnerId(),
                            runner.status(),
                            Shown.clean(runner.hostname()),
                            Shown.clean(runner.executorProfile()),
                            Integer.toString(runner.capacity()),
                            Shown.clean(runner.projectDir())));
        }
        console.out()
                .print(
                        Table.of(
                                List.of("ID", "STATUS", "HOST", "PROFILE", "CAPACITY", "DIRECTORY"),
                                rows,
                                console));
        return Exit.OK;
    }
}
