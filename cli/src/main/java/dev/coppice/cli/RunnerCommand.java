package dev.coppice.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A runner of its own, for another machine or another profile. */
final class RunnerCommand implements Command {
    private static final Duration REGISTER_MAX = Duration.ofSeconds(5);

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
                        Option.of("profile", "NAME", "what this runner is for; 'local' by default"),
                        Option.of("tags", "TAGS", "what it offers, with commas"),
                        Option.of("capacity", "N", "how many runs at once; 64"),
                        Option.of(
                                "dir", "DIR", "where it keeps its files; DATA/runner by default")),
                """
                COPPICE_URL and COPPICE_TOKEN say where the coordinator is and who asks; on
                the coordinator's own machine the data directory knows both. 'coppice token
                --role runner' makes a token for it. Host, directory and profile make a
                runner's id: started again with the same ones it is the same runner.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var client = Connection.open(args, console).client();
        var set = args.has(Option.DATA) ? null : console.env("COPPICE_TOKEN");
        var token = set == null ? Token.content(args, console) : set;
        var directory = args.value("dir");
        var runner =
                LocalRunner.start(
                        client.base(),
                        token,
                        directory == null
                                ? Connection.data(args, console).resolve("runner")
                                : java.nio.file.Path.of(directory),
                        args,
                        console);
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .unstarted(() -> {
                                    runner.close();
                                    stopped.countDown();
                                }));
        try {
            if (!runner.isRegisteredWithin(REGISTER_MAX)) {
                console.err()
                        .println(
                                "coppice: no coordinator answers at %s yet; will go on trying"
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
