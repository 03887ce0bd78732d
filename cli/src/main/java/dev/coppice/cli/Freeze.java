package dev.coppice.cli;

import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;

import java.util.List;

/** Suspends a tree, or lets it go on. */
final class Freeze implements Command {
    private final String word;
    private final Usage usage;

    private Freeze(String word, Usage usage) {
        this.word = word;
        this.usage = usage;
    }

    static Freeze freeze() {
        var more =
                """
                Its processes are suspended where they are, its leases are held, what waits in
                the queue is held back, and no deadline runs. 'coppice thaw' lets it go on;
                a stop reaches it all the same.
                """;
        return new Freeze(
                "freeze",
                Usage.of("Suspend a session and all below it", List.of("NAME"), List.of(), more));
    }

    static Freeze thaw() {
        return new Freeze(
                "thaw",
                Usage.of(
                        "Let a frozen session and all below go on",
                        List.of("NAME"),
                        List.of(),
                        ""));
    }

    @Override
    public String name() {
        return word;
    }

    @Override
    public Usage usage() {
        return usage;
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var path = "/sessions/" + Connection.part(connection.id(args.word(0))) + "/" + word;
        var done = connection.post(path, Json.object());
        var past = word.equals("freeze") ? "frozen" : "thawed";
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? done.toString()
                                : Counted.sessions(done.get("sessions").asLong()) + " " + past);
        return Exit.OK;
    }
}
