package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.session.SessionCalls;

import java.util.List;

/** Places a root below another session. */
public final class AttachCommand implements Command {
    @Override
    public String name() {
        return "attach";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Place a tree under another session",
                List.of("NAME", "PARENT"),
                List.of(),
                """
                For a root, such as a tree that a removal with --detach has left, or an imported
                orphan. All below it comes along; the limits above PARENT must have room for it.
                What it has spent does not count above PARENT, what it spends from now on does.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var root = connection.id(args.word(0));
        var attach = new SessionCalls.Attach(root, connection.id(args.word(1)));
        var done = connection.ask(SessionCalls.ATTACH, attach);
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? done.body().toString()
                                : Shown.clean(done.value().session().path()));
        return Exit.OK;
    }
}
