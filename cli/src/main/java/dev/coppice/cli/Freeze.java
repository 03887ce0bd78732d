package dev.coppice.cli;

import dev.coppice.kernel.Counted;
import dev.coppice.wire.Call;
import dev.coppice.wire.run.StopCalls;
import dev.coppice.wire.session.SessionCalls;

import java.util.List;

/** Suspends a tree, or lets it go on. */
final class Freeze implements Command {
    private final String word;
    private final Call<SessionCalls.At, StopCalls.Frozen> call;
    private final Usage usage;

    private Freeze(String word, Call<SessionCalls.At, StopCalls.Frozen> call, Usage usage) {
        this.word = word;
        this.call = call;
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
                StopCalls.FREEZE,
                Usage.of("Suspend a session and all below it", List.of("NAME"), List.of(), more));
    }

    static Freeze thaw() {
        return new Freeze(
                "thaw",
                StopCalls.THAW,
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
        var session = new SessionCalls.At(connection.id(args.word(0)));
        var done = connection.ask(call, session);
        var past = call.equals(StopCalls.FREEZE) ? "frozen" : "thawed";
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? done.body().toString()
                                : Counted.sessions(done.value().sessions()) + " " + past);
        return Exit.OK;
    }
}
