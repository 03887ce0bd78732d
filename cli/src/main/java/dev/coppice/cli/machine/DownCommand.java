package dev.coppice.cli.machine;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.OwnerOnly;
import dev.coppice.runner.LocalCoordinator;
import dev.coppice.runner.Runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops the coordinator of a data directory, wherever it was started. */
public final class DownCommand implements Command {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "down";
    }

    @Override
    public Usage usage() {
        return new Usage(
                "Stop the coordinator of this machine, its runner and its agents",
                List.of(),
                List.of(
                        Option.flag("drain", "let live runs end first, and start no others"),
                        Option.flag("keep-agents", "leave agents alive for the next 'coppice up'"),
                        Option.of(
                                "timeout",
                                "TIME",
                                "how long to wait (default 60s; with --drain 10m)"),
                        Option.DATA,
                        Option.JSON),
                """
                Its agents are stopped; 'coppice resume' continues a session later. A service
                stays down until it is started again. With --drain, no new runs start but those
                that a live run may wait for; what is queued starts after the next 'coppice up'.
                If runs are live after TIME, they are named, and the coordinator stays up and
                starts runs again. With --keep-agents, agents go on, and the next 'coppice up'
                takes them back: for an upgrade.

                Exits with 0 if no coordinator runs, and with 10 if it still runs after TIME.
                """);
    }

    @Override
    public Reads reads() {
        return Reads.NONE;
    }

    @Override
    public Exit run(Args args, Console console) {
        var data = CoordinatorPlace.data(args, console).toAbsolutePath().normalize();
        var length = args.length("timeout");
        var holder = LocalCoordinator.in(data).holder();
        var process = holder.flatMap(each -> ProcessHandle.of(each.pid())).orElse(null);
        if (holder.isEmpty() || process == null) {
            console.out().println("no coordinator of this user runs in " + data);
            return Exit.OK;
        }
        if (!holder.get().isServing()) {
            console.err()
                    .println(
                            ("coppice: process %d uses %s, but answers no requests: a coordinator"
                                            + " that starts, or 'coppice db'; wait for it")
                                    .formatted(process.pid(), data));
            return Exit.LATE;
        }
        if (args.has("drain")) {
            var patience = length == null ? LiveRuns.PATIENCE : length.value();
            var own = args.with(Option.DATA, data.toString());
            var last = new LiveRuns(Connection.open(own, console), console);
            if (!last.haveEndedWithin(patience)) return Exit.LATE;
        }
        if (args.has("keep-agents")) leaveAgents(data);
        process.destroy();
        try {
            var patience = length == null || args.has("drain") ? PATIENCE : length.value();
            process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            console.out().println("stopped the coordinator in " + data);
            return Exit.OK;
        } catch (TimeoutException _) {
            console.err()
                    .println(
                            "coppice: process %d still ends its agents; 'coppice down' waits again"
                                    .formatted(process.pid()));
            return Exit.LATE;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.INTERRUPTED;
        }
    }

    /** Its runner reads this at its end. */
    private static void leaveAgents(Path data) {
        var runner = data.resolve("runner");
        var file = runner.resolve(Runner.LEAVE);
        try {
            if (Files.isDirectory(runner)) OwnerOnly.write(file, "");
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }
}
