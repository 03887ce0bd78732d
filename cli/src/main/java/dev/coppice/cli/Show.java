package dev.coppice.cli;

import java.util.List;

/** Prints everything known of a session. */
final class Show implements Command {
    @Override
    public String name() {
        return "show";
    }

    @Override
    public Usage usage() {
        return Usage.of("Print everything known of a session", List.of("NAME"), List.of(), "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var session = Connection.open(args, console).session(args.word(0));
        if (args.has(Option.JSON)) {
            console.out().println(session);
            return Exit.OK;
        }
        session.properties()
                .forEach(field -> {
                    var value = field.getValue();
                    if (value.isNull()) return;
                    var text =
                            Shown.harmless(value.isString() ? value.asString() : value.toString());
                    console.out().println("%-20s %s".formatted(field.getKey(), text));
                });
        return Exit.OK;
    }
}
