package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.cli.machine.Invitation;
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

/** Runs a separate runner, for another machine or another profile. */
final class RunnerCommand implements Command {
    private static final Duration NO_TIME = Duration.ZERO;
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration REGISTER_MAX = Duration.ofSeconds(5);
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]");

    @Override
    public String name() {
        return "runner";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Run agents here, or invite another machine to run some",
                List.of("[invite|join]", "[URL]"),
                List.of(
                        Option.of("expires", "TIME", "invite: how long it is valid (default 1h)"),
                        Option.of("url", "URL", "invite: the address for the other machine"),
                        Option.of("code", "CODE", "join: the code of the invitation"),
                        Option.of(
                                "fingerprint",
                                "SHA256",
                                "join: the certificate of the coordinator or of its authority"),
                        Option.of(
                                "profile", "PROFILE", "the profile of the runner (default local)"),
                        Option.of("tags", "TAGS", "the tags that it offers, such as a,b"),
                        Option.of("capacity", "N", "take at most N runs at once (default 64)"),
                        Option.of(
                                "dir", "DIR", "the directory of its files (default DATA/runner)")),
                """
                'invite' prints one line for the other machine. It works once. 'join' checks the
                certificate, gets a token for this runner alone, keeps both in DATA/joined, and
                runs agents until Ctrl-C. 'coppice runner --data DIR' starts it again.
                'coppice runners revoke RUNNER' ends it from the coordinator.

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
        var file = CoordinatorPlace.of(args, console).directory().resolve("token");
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
        var verb = args.wordOrNull(0);
        var url = args.wordOrNull(1);
        if ("invite".equals(verb) && url == null) return Invitation.invite(args, console);
        if (verb == null) return serve(args, console);
        if (url == null) throw new Args.Invalid("URL is missing");
        if (verb.equals("invite"))
            throw new Args.Invalid("unexpected argument '%s'".formatted(url));
        var place = Invitation.join(Connection.address(url), args, console);
        console.err()
                .println(
                        "coppice: joined; 'coppice runner --data %s' starts it again"
                                .formatted(place));
        return serve(args.with(Option.DATA, place.toString()), console);
    }

    private static Exit serve(Args args, Console console) {
        var client = Connection.open(args, console).client();
        boolean isAlone = CoordinatorPlace.of(args, console).isAlone();
        var set = isAlone ? null : console.env("COPPICE_TOKEN");
        var token = set == null ? ownToken(args, console) : set;
        var directory = args.value("dir");
        var data = CoordinatorPlace.data(args, console);
        Runner runner;
        try {
            runner =
                    LocalRunner.start(
                            new LocalRunner.Target(client.base(), token, client.trust()),
                            new LocalRunner.Place(
                                    directory == null ? data.resolve("runner") : Path.of(directory),
                                    Invitation.tags(data),
                                    localCoordinator(data, directory == null, client.base())),
                            args,
                            console);
        } catch (DirectoryLock.Taken e) {
            console.err().println("coppice: " + e.getMessage());
            return Exit.CANNOT_START;
        }
        Runtime.getRuntime().addShutdownHook(Threads.hook(runner::close));
        try {
            if (!runner.isRegisteredWithin(REGISTER_MAX) && !runner.isRefusedWithin(NO_TIME)) {
                console.err()
                        .println(
                                "coppice: no coordinator answers at %s yet; still trying"
                                        .formatted(client.base()));
            }
            boolean registered = runner.isRegisteredWithin(NO_TIME);
            while (!registered && !runner.isRefusedWithin(NO_TIME)) {
                registered = runner.isRegisteredWithin(LOOK);
            }
            if (registered) {
                console.out()
                        .println(
                                "Runner %s takes runs from %s"
                                        .formatted(runner.id(), client.base()));
            }
            while (!runner.isRefusedWithin(LOOK)) {
                // A signal ends the process.
            }
            console.err()
                    .println(
                            "coppice: %s refuses this runner, whose agents were ended: %s"
                                    .formatted(client.base(), runner.refusal()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Exit.REFUSED;
    }
}
