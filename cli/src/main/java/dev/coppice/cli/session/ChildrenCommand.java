package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Paging;
import dev.coppice.wire.look.TreeCalls;
import dev.coppice.wire.session.SessionCalls;

import java.util.List;

/** Lists the children of a session, or counts them. */
public final class ChildrenCommand implements Command {
    @Override
    public String name() {
        return "children";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List the children of a session",
                List.of("NAME"),
                List.of(Option.flag("count", "print only their number")),
                "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var id = connection.id(args.word(0));
        if (args.has("count")) {
            var count = connection.ask(TreeCalls.COUNT_CHILDREN, new SessionCalls.At(id));
            var number = Long.toString(count.value().count());
            console.out().println(args.has(Option.JSON) ? count.body().toString() : number);
            return Exit.OK;
        }
        String after = null;
        do {
            var below = new TreeCalls.Below(id, Paging.after(after));
            var page = connection.ask(TreeCalls.CHILDREN, below);
            console.out()
                    .print(
                            args.has(Option.JSON)
                                    ? page.body() + "\n"
                                    : ListCommand.table(page.value().children(), false, console));
            after = page.value().next();
        } while (after != null);
        return Exit.OK;
    }
}
