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
import dev.coppice.wire.Shape;
import dev.coppice.wire.session.SessionView;

import java.util.List;

/** Prints all fields of a session. */
public final class Show implements Command {
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
        var session = Connection.open(args, console).session(args.word(0));
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(session));
            return Exit.OK;
        }
        for (var part : Shape.of(SessionView.class).parts()) {
            var value = part.of(session);
            if (value == null) continue;
            var text = value instanceof String string ? string : Json.write(value);
            console.out().println("%-20s %s".formatted(part.name(), Shown.clean(text)));
        }
        return Exit.OK;
    }
}
