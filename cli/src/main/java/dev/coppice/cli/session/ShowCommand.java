package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Shape;
import dev.coppice.wire.fleet.ProcessCalls;
import dev.coppice.wire.session.SessionView;

import java.util.List;

/** Prints all fields of a session. */
public final class ShowCommand implements Command {
    @Override
    public String name() {
        return "show";
    }

    @Override
    public Usage usage() {
        return Usage.of("Print all fields of a session", List.of("NAME"), List.of(), "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var session = connection.session(args.word(0));
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(session));
            return Exit.OK;
        }
        for (var part : Shape.of(SessionView.class).parts()) {
            var value = part.of(session);
            if (value == null) continue;
            var text = value instanceof String string ? string : Json.write(value);
            line(part.name(), text, console);
        }
        var find = new ProcessCalls.Find(session.sessionId(), Paging.FIRST);
        for (var process : connection.call(ProcessCalls.LIST, find).processes()) {
            if (!process.sessionId().equals(session.sessionId())) continue;
            var end = process.mayStop() ? "a stop ends it" : "a stop leaves it alone";
            var what = process.program() + " " + process.pid();
            line("process", "%s on %s; %s".formatted(what, process.hostname(), end), console);
        }
        return Exit.OK;
    }

    private static void line(String name, String text, Console console) {
        console.out().println("%-20s %s".formatted(name, Shown.clean(text)));
    }
}
