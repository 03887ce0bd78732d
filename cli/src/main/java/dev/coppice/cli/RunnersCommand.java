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
import dev.coppice.wire.Json;
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
        return Usage.of(
                "List the runners, or end one and its right to return",
                List.of("[list|revoke]", "[RUNNER]"),
                List.of(),
                """
                'revoke' takes a runner off the list at once: its runs are lost, and the token with
                which it joined is no longer valid, so it ends its agents and itself. A runner
                with another token registers again; revoke that with 'coppice token revoke'.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var runner = args.wordOrNull(1);
        if ("revoke".equals(args.wordOrNull(0))) {
            if (runner == null) throw new Args.Invalid("RUNNER is missing");
            var at = new FleetCalls.Remove(runner, false);
            Connection.open(args, console).call(FleetCalls.REMOVE, at);
            if (!args.has(Option.JSON)) console.out().println("revoked " + Shown.clean(runner));
            return Exit.OK;
        }
        if (runner != null) throw new Args.Invalid("unexpected argument '%s'".formatted(runner));
        var find = new FleetCalls.Find(Paging.FIRST);
        var found = Connection.open(args, console).ask(FleetCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var each : found.value().runners()) {
            rows.add(
                    List.of(
                            each.runnerId(),
                            each.status(),
                            Shown.clean(each.hostname()),
                            Shown.clean(each.executorProfile()),
                            Integer.toString(each.capacity()),
                            Shown.clean(version(each)),
                            Shown.clean(each.projectDir())));
        }
        console.out()
                .print(
                        Table.of(
                                List.of(
                                        "ID",
                                        "STATUS",
                                        "HOST",
                                        "PROFILE",
                                        "CAPACITY",
                                        "VERSION",
                                        "DIRECTORY"),
                                rows,
                                console));
        return Exit.OK;
    }

    private static String version(FleetCalls.RunnerView runner) {
        var version = Json.text(runner.executor(), "version");
        return version == null ? "" : version;
    }
}
