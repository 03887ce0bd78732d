package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.Call;
import dev.coppice.wire.run.StopCalls;
import dev.coppice.wire.session.SessionCalls;

import java.util.List;

/** Freezes or thaws a tree. */
public final class FreezeCommand implements Command {
    private final String word;
    private final Call<SessionCalls.At, StopCalls.Frozen> call;
    private final Usage usage;

    private FreezeCommand(String word, Call<SessionCalls.At, StopCalls.Frozen> call, Usage usage) {
        this.word = word;
        this.call = call;
        this.usage = usage;
    }

    public static FreezeCommand freeze() {
        var more =
                """
                The processes of the tree are suspended, its leases are kept, its queued runs
                are held back, and its deadlines do not run. 'coppice thaw' continues the tree.
                A frozen tree can be stopped.
                """;
        return new FreezeCommand(
                "freeze",
                StopCalls.FREEZE,
                Usage.of("Suspend a session and all below it", List.of("NAME"), List.of(), more));
    }

    public static FreezeCommand thaw() {
        return new FreezeCommand(
                "thaw",
                StopCalls.THAW,
                Usage.of(
                        "Continue a frozen session and all below it",
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
