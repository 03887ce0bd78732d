package dev.coppice.cli;

import dev.coppice.boot.Coordinator;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;

import java.util.List;
import java.util.Map;

/** Prints the version. */
final class VersionCommand implements Command {
    @Override
    public String name() {
        return "version";
    }

    @Override
    public Usage usage() {
        return Usage.of("Print the version", List.of(), List.of(), "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var version = Json.write(Map.of("version", Coordinator.VERSION));
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? version.toString()
                                : "coppice " + Coordinator.VERSION);
        return Exit.OK;
    }
}
