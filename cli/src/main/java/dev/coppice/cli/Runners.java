package dev.coppice.cli;

import java.util.ArrayList;
import java.util.List;

/** Lists the runners. */
final class Runners implements Command {
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
        var found = Connection.open(args, console).get("/runners");
        if (args.has(Option.JSON)) {
            console.out().println(found);
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var runner : found.get("runners")) {
            rows.add(
                    List.of(
                            Shown.text(runner, "runner_id"),
                            Shown.text(runner, "status"),
                            Shown.text(runner, "hostname"),
                            Shown.text(runner, "executor_profile"),
                            Shown.text(runner, "capacity"),
                            Shown.text(runner, "project_dir")));
        }
        console.out()
                .print(
                        Table.of(
                                List.of("ID", "STATUS", "HOST", "PROFILE", "CAPACITY", "DIRECTORY"),
                                rows));
        return Exit.OK;
    }
}
