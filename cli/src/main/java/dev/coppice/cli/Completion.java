package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Usage;

import java.util.List;
import java.util.stream.Collectors;

/** Prints a shell completion script, generated from the commands. */
final class Completion implements Command {
    @Override
    public String name() {
        return "completion";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print a completion script for bash or zsh",
                List.of("[SHELL]"),
                List.of(),
                "  source <(coppice completion bash)\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var shell = args.wordOrNull(0);
        if (shell != null && !shell.equals("bash") && !shell.equals("zsh")) {
            throw new Args.Invalid("unknown shell '" + shell + "'; it must be bash or zsh");
        }
        if ("zsh".equals(shell))
            console.out().println("autoload -U +X bashcompinit && bashcompinit");
        console.out().print(script());
        return Exit.OK;
    }

    private static String script() {
        var names = Commands.ALL.stream().map(Command::name).collect(Collectors.joining(" "));
        var cases =
                Commands.ALL.stream()
                        .map(c -> "    %s) words=\"%s\" ;;%n".formatted(c.name(), options(c)))
                        .collect(Collectors.joining());
        return """
        _coppice() {
          local words
          case "${COMP_WORDS[1]}" in
        %s    *) words="%s test" ;;
          esac
          [ "$COMP_CWORD" -eq 1 ] && words="%s test"
          COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
        }
        complete -F _coppice coppice
        """
                .formatted(cases, names, names);
    }

    private static String options(Command command) {
        return command.usage().options().stream()
                .map(option -> "--" + option.name())
                .collect(Collectors.joining(" "));
    }
}
