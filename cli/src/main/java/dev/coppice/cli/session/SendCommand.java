package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Length;
import dev.coppice.wire.Shape;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.session.SessionView;
import dev.coppice.word.WhenBusy;

import java.util.List;

/** Sends a message to a live session. */
public final class SendCommand implements Command {
    @Override
    public String name() {
        return "send";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Send a message to a live session",
                List.of("NAME", "TEXT"),
                List.of(
                        Option.of(
                                "when-busy",
                                "POLICY",
                                "reject, queue (until its run ends; the default), interrupt or"
                                        + " steer"),
                        Option.flag("now", "steer: reach its turn where its program can")),
                "  coppice send plan 'the deadline is tomorrow' --now\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var to = connection.session(args.word(0));
        var byDefault = args.has("now") ? WhenBusy.STEER : WhenBusy.QUEUE;
        var how = args.choice("when-busy", byDefault);
        var message =
                new CallbackCalls.Message(to.sessionId(), args.word(1), how, Length.ofSeconds(5));
        var sent = connection.ask(CallbackCalls.SEND, message);
        console.out()
                .println(
                        args.has(Option.JSON) ? sent.body().toString() : sent.value().callbackId());
        boolean isLater = how == WhenBusy.STEER && !Shape.word(how).equals(sent.value().whenBusy());
        if (isLater) {
            console.err()
                    .println(
                            "%s cannot hear a message within its turn; it waits for the end of its"
                                            .formatted(args.word(0))
                                    + " run. --when-busy interrupt ends the turn.");
        } else if (console.isWatched()) {
            console.err().println(Shown.clean(to.sessionName()) + " " + when(to, how));
        }
        return Exit.OK;
    }

    /** When the session reads the message. */
    private static String when(SessionView to, WhenBusy how) {
        if (!to.state().equals("running")) return "is " + to.state() + ": it reads this next";
        return switch (how) {
            case STEER -> "reads it within its turn";
            case INTERRUPT -> "ends its turn, and reads it then";
            default -> "is at work: it reads it when its run has ended; --now reaches its turn";
        };
    }
}
