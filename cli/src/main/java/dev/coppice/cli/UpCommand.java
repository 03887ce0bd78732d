package dev.coppice.cli;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.boot.Coordinator;
import dev.coppice.boot.DataDirectory;
import dev.coppice.boot.Face;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Logging;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.cli.hosts.HostLinks;
import dev.coppice.cli.machine.Detached;
import dev.coppice.cli.machine.VersionHistory;
import dev.coppice.client.Trust;
import dev.coppice.mcp.McpFace;
import dev.coppice.originals.Originals;
import dev.coppice.runner.DirectoryLock;
import dev.coppice.runner.Runner;
import dev.coppice.telemetry.TelemetryFace;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Starts the coordinator and, unless --no-runner is given, a runner in one process. */
final class UpCommand implements Command {
    /** The flags of settings; one without a value has the value 'true'. */
    private static final Map<String, String> FLAGS =
            Map.of(
                    "port", "COPPICE_PORT",
                    "compat-port", "COPPICE_COMPAT_PORTS",
                    "compat-open", "COPPICE_COMPAT_OPEN",
                    "listen", "COPPICE_LISTEN",
                    "listen-plain", "COPPICE_LISTEN_PLAIN",
                    "tls-cert", "COPPICE_TLS_CERT",
                    "tls-key", "COPPICE_TLS_KEY",
                    "public-url", "COPPICE_PUBLIC_URL");

    private static final Duration REGISTER_MAX = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "up";
    }

    @Override
    public Usage usage() {
        var variables = new StringBuilder("Environment variables:\n");
        int width =
                SettingsReader.VARIABLES.keySet().stream().mapToInt(String::length).max().orElse(1);
        var line = "  %-" + width + "s %s%n";
        SettingsReader.VARIABLES.forEach(
                (name, meaning) -> variables.append(line.formatted(name, meaning)));
        return new Usage(
                "Start the coordinator and a local runner, until Ctrl-C",
                List.of(),
                List.of(
                        Option.of(
                                "port",
                                "PORT",
                                "the port on 127.0.0.1 (default 8765; 0: any free one)"),
                        Option.DATA,
                        Detached.OPTION,
                        Option.of(
                                        "compat-port",
                                        "N",
                                        "serve the hook server's paths here too; may be repeated")
                                .repeatable(),
                        Option.flag(
                                "compat-open",
                                "let any program of this machine use those ports without a token"),
                        Option.of(
                                "listen",
                                "ADDRESS",
                                "listen there, too, by TLS, as 0.0.0.0 or 10.0.0.5:8766"),
                        Option.of("tls-cert", "FILE", "the certificate for that, in PEM"),
                        Option.of("tls-key", "FILE", "its key, in PEM"),
                        Option.flag("listen-plain", "listen there without TLS"),
                        Option.of("public-url", "URL", "the address at which a proxy serves it"),
                        Option.JSON,
                        Option.flag("no-runner", "start only the coordinator"),
                        Option.of("capacity", "N", "take at most N runs at once (default 64)"),
                        Option.of("tags", "TAGS", "the tags that the runner offers, such as a,b")),
                variables.toString());
    }

    @Override
    public Reads reads() {
        return Reads.ALL;
    }

    @Override
    public Exit run(Args args, Console console) {
        if (args.has(Detached.OPTION)) {
            return Detached.up(usage(), args, CoordinatorPlace.data(args, console), console);
        }
        Logging.quietLibraries();
        var environment = new HashMap<>(console.environment());
        FLAGS.forEach((flag, variable) -> {
            if (args.has(flag)) environment.put(variable, args.value(flag, ""));
        });
        var data = CoordinatorPlace.data(args, console);
        environment.put("COPPICE_DATA", data.toString());
        DataDirectory.unpackDriverIn(data);
        Coordinator coordinator;
        try {
            coordinator = Coordinator.start(new SettingsReader(environment).read(), faces());
        } catch (DataDirectory.Unusable | SettingsReader.BadSetting e) {
            return refused(console, e.getMessage());
        } catch (RuntimeException e) {
            return refused(console, reasons(e));
        }
        try {
            var runner = args.has("no-runner") ? null : runner(coordinator, args, console);
            return serve(coordinator, runner, data, console);
        } catch (Args.Invalid e) {
            coordinator.close();
            throw e;
        } catch (IllegalArgumentException | UncheckedIOException e) {
            coordinator.close();
            return refused(console, reasons(e));
        }
    }

    /** The faces that other modules add to the server. */
    static List<Face.Maker> faces() {
        var faces = new ArrayList<>(Originals.faces());
        faces.add(McpFace::on);
        faces.add(TelemetryFace::on);
        return faces;
    }

    private static Exit refused(Console console, @Nullable String why) {
        console.err().println("coppice: " + why);
        return Exit.CANNOT_START;
    }

    /** The messages of a failure and its causes, each once. */
    private static String reasons(Throwable failure) {
        var text = new StringBuilder(String.valueOf(failure.getMessage()));
        for (@Nullable Throwable at = failure.getCause(); at != null; at = at.getCause()) {
            var more = String.valueOf(at.getMessage());
            if (text.indexOf(more) < 0) text.append(": ").append(more);
        }
        return text.toString();
    }

    private static Exit serve(
            Coordinator coordinator, @Nullable Runner runner, Path data, Console console) {
        var stopped = new CountDownLatch(1);
        var cache = new ClassCache(console, data);
        var hosts = HostLinks.of(data);
        Runtime.getRuntime()
                .addShutdownHook(
                        Threads.hook(() -> {
                            cache.end();
                            hosts.close();
                            // Close the runner first: the coordinator still takes its reports.
                            if (runner != null) runner.close();
                            coordinator.close();
                            cache.close();
                            stopped.countDown();
                        }));
        try {
            if (runner != null && !runner.isRegisteredWithin(REGISTER_MAX)) {
                console.err()
                        .println("coppice: the local runner has not registered yet; see the log");
            }
            new VersionHistory(data).note(console.env("COPPICE_HOME"));
            var up = Json.write(Map.of("url", coordinator.url()));
            warn(coordinator, console);
            console.out().println(console.wantsJson() ? up : next(coordinator, console));
            cache.begin();
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Exit.OK;
    }

    /** Warns of addresses that need no token, or contain it. */
    private static void warn(Coordinator coordinator, Console console) {
        for (var url : coordinator.pathUrls()) {
            console.err()
                    .println(
                            "coppice: everything is at "
                                    + url
                                    + "/t/TOKEN, also for an operator's TOKEN: whoever reads such"
                                    + " an address in a log acts as you");
        }
        var beyond = coordinator.beyond();
        if (beyond != null && beyond.isPlain()) {
            console.err()
                    .println(
                            "coppice: %s is WITHOUT TLS: whoever is on the way reads every token"
                                    .formatted(beyond.url()));
        }
        for (var url : coordinator.hookUrls()) {
            var who =
                    coordinator.areHookUrlsOpen()
                            ? "WITHOUT A TOKEN: any program of this machine can read and send"
                                    + " events there, and answer questions of agents"
                            : "with a token in the path: /t/TOKEN/events";
            console.err().println("coppice: the hook server's paths are at " + url + " " + who);
        }
    }

    private static String next(Coordinator coordinator, Console console) {
        var named = console.env("COPPICE_CALL");
        var call = named == null ? "coppice" : named;
        return """
        Coppice is up at %1$s; Ctrl-C stops it and its agents.
        Dashboard: %3$s
        Next, in another terminal:
          %2$s start hello --agent scripted -p 'say hello'
          %2$s blueprints add claude --kind claude-code   # or codex, acp, any program
          %2$s tree --watch\
        """
                .formatted(coordinator.url(), call, dashboard(coordinator, console, call));
    }

    /** Returns a sign-in link for a terminal only: other output may be a log. */
    private static String dashboard(Coordinator coordinator, Console console, String call) {
        return console.isWatched()
                ? coordinator.signInUrl()
                : "%s, where '%s open' signs a browser in".formatted(coordinator.url(), call);
    }

    /** Starts a runner; null if another process already runs the one of this directory. */
    private static @Nullable Runner runner(Coordinator coordinator, Args args, Console console) {
        try {
            return LocalRunner.start(
                    new LocalRunner.Target(
                            URI.create(coordinator.url()),
                            coordinator.tokens().issue(Caller.as(Role.RUNNER)),
                            Trust.OF_MACHINE),
                    new LocalRunner.Place(
                            CoordinatorPlace.data(args, console).resolve("runner"), null, null),
                    args,
                    console);
        } catch (DirectoryLock.Taken e) {
            console.err().println("coppice: no local runner started: " + e.getMessage());
            return null;
        }
    }
}
