package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.Release;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Prints the version, the commit that it was built from, and the Java that it runs on. */
final class VersionCommand implements Command {
    @Override
    public String name() {
        return "version";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print the version; with --json also commit, build and run time",
                List.of(),
                List.of(),
                "");
    }

    private record Version(
            String version,
            @Nullable String commit,
            @Nullable String built,
            String runtime,
            String platform) {}

    @Override
    public Reads reads() {
        return Reads.NONE;
    }

    @Override
    public Exit run(Args args, Console console) {
        var ours = Release.ours();
        var version =
                new Version(
                        ours.version(),
                        ours.commit(),
                        ours.built(),
                        System.getProperty("java.runtime.version"),
                        System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        console.out()
                .println(args.has(Option.JSON) ? Json.write(version) : "coppice " + ours.version());
        return Exit.OK;
    }
}
