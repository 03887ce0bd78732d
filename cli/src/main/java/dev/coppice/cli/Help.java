package dev.coppice.cli;

import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Near;

import java.util.List;
import java.util.Map;

/** Prints the help, of everything or of one command. */
final class Help {
    /** Commands of git, docker and kubectl, each with the Coppice command that does the same. */
    static final Map<String, String> OF_OTHER_TOOLS =
            Map.of(
                    "inspect", "show",
                    "describe", "show",
                    "kill", "stop",
                    "remove", "rm",
                    "delete", "rm");

    private Help() {}

    static Exit print(List<String> words, Console console) {
        if (words.isEmpty()
                || words.getFirst().startsWith("-")
                || words.getFirst().equals("help")) {
            console.out().print(Commands.help(Commands.ofScript(console)));
            return Exit.OK;
        }
        var name = words.getFirst();
        var summary = Commands.ofScript(console).get(name);
        if (summary != null) {
            console.out().println(summary);
            return Exit.OK;
        }
        var command = Commands.named(name);
        if (command == null) return unknown(name, console);
        console.out().print(command.usage().help(command.name()));
        return Exit.OK;
    }

    static Exit unknown(String name, Console console) {
        if (name.startsWith("-")) {
            console.err()
                    .println(
                            "coppice: the command comes first, as in 'coppice list %s'"
                                    .formatted(name));
        } else {
            console.err().println("coppice: '%s' is not a coppice command".formatted(name));
            var ours = OF_OTHER_TOOLS.get(name);
            var near = Near.offer(name, Commands.names(Commands.ofScript(console)));
            var offer = ours == null ? near : "Did you mean '%s'?".formatted(ours);
            if (!offer.isEmpty()) console.err().println(offer);
        }
        console.err().println("See 'coppice --help'.");
        return Exit.USAGE;
    }
}
