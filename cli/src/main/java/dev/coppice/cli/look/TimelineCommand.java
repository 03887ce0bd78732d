package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Paging;
import dev.coppice.wire.look.TreeCalls;

import java.time.InstantSource;
import java.util.List;

/** Draws when each session of a tree worked. */
public final class TimelineCommand implements Command {
    @Override
    public String name() {
        return "timeline";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Draw when each session of a tree worked",
                List.of("NAME"),
                List.of(Option.of("since", "TIME", "only the last TIME, such as 2h")),
                """
                A line is a session, a bar its time from start to end. An arrow ends the bar of
                one that is still at work, a cross that of one that failed.

                  coppice timeline plan --since 30m
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var top = connection.id(args.word(0));
        if (args.has(Option.JSON)) {
            var whole =
                    new TreeCalls.Whole(new TreeCalls.Deep(top, Trees.LEVELS, Paging.FIRST), true);
            console.out().println(connection.ask(TreeCalls.TREE, whole).body());
            return Exit.OK;
        }
        var now = InstantSource.system().instant();
        var since = args.length("since");
        var drawing = new TimelineDrawing(console.size().columns(), now);
        var lines =
                drawing.lines(
                        Trees.sessions(connection, top),
                        since == null ? null : now.minus(since.value()));
        for (var line : lines) {
            console.out().println(console.isColoured() ? line.coloured() : line.text());
        }
        if (lines.isEmpty()) console.err().println("Nothing worked in this time.");
        return Exit.OK;
    }
}
