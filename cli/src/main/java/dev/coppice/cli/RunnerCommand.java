package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.runner.DirectoryLock;
import dev.coppice.runner.LocalCoordinator;
import dev.coppice.runner.Runner;
import dev.coppice.thread.Threads;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Runs a separate runner, for another machine or another profile. */
final class RunnerCommand implements Command {
    private static final Duration REGISTER_MAX = Duration.ofSeconds(5);
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]");

    @Override
    public String name() {
        return "runner";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Run agents for a coordinator, until Ctrl-C",
                List.of(),
                List.of(
                        Option.of(
                                "profile", "PROFILE", "the profile of the runner (default local)"),
                        Option.of("tags", "TAGS", "the tags that it offers, such as a,b"),
                        Option.of("capacity", "N", "take at most N runs at once (default 64)"),
                        Option.of(
                                "dir", "DIR", "the directory of its files (default DATA/runner)")),
                """
                COPPICE_URL and COPPICE_TOKEN set the address and the token. On the machine of
                the coordinator, both default to those in the data directory. 'coppice token
                create --role runner' prints a token for a runner. Host, directory and profile form
                the id of a runner, so a restart with the same ones is the same runner.
                """);
    }

    /**
     * The coordinator that owns this data directory, identified by its lock; null if the runner
     * belongs to another one. The file 'url' decides. It is missing while the coordinator is down:
     * then a runner inside the data directory with a loopback address belongs to it.
     */
    private static @Nullable LocalCoordinator localCoordinator(
            Path data, boolean inside, URI coordinator) {
        try {
            var url = data.resolve("url");
            boolean here =
                    Files.exists(url)
                            ? URI.create(Files.readString(url).strip()).equals(coordinator)
                            : inside && LOOPBACK.contains(String.valueOf(coordinator.getHost()));
            return here ? LocalCoordinator.in(data) : null;
        } catch (IOException | IllegalArgumentException _) {
            return null;
        }
    }

    private static String ownToken(Args args, Console console) {
        var file = Connection.data(args, console).resolve("token");
        try {
            if (Files.isReadable(file)) return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
        throw new Args.Invalid(
                "no token at %s; start a coordinator first, or set COPPICE_TOKEN".formatted(file));
    }

    @Override
    public Exit run(Args args, Console console) {
        var client = Connection.open(args, console).client();
        var set = args.has(Option.DATA) ? null : console.env("COPPICE_TOKEN");
        var token = set == null ? ownToken(args, console) : set;
        var directory = args.value("dir");
        var data = Connection.data(args, console);
        Runner runner;
        try {
            runner =
                    LocalRunner.start(
                            client.base(),
                            token,
                            new LocalRunner.Place(
                                    directory == null ? data.resolve("runner") : Path.of(directory),
                                    localCoordinator(data, directory == null, client.base())),
                            args,
                            console);
        } catch (DirectoryLock.Taken e) {
            console.err().println("coppice: " + e.getMessage());
            return Exit.CANNOT_START;
        }
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        Threads.hook(() -> {
                            runner.close();
                            stopped.countDown();
                        }));
        try {
            if (!runner.isRegisteredWithin(REGISTER_MAX)) {
                console.err()
                        .println(
                                "coppice: no coordinator answers at %s yet; still trying"
                                        .formatted(client.base()));
            }
            boolean registered = runner.isRegisteredWithin(REGISTER_MAX);
            while (!registered) registered = runner.isRegisteredWithin(REGISTER_MAX);
            console.out()
                    .println("Runner %s takes runs from %s".formatted(runner.id(), client.base()));
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Exit.OK;
    }
}
