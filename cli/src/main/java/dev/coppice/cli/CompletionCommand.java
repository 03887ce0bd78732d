package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Refused;
import dev.coppice.wire.Json;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.blueprint.BlueprintCalls;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Prints completion scripts for shells. The scripts ask this command for the words that can stand
 * at the cursor, so that they know sessions and blueprints, and never differ from the commands.
 */
final class CompletionCommand implements Command {
    private static final Map<String, String> SCRIPTS =
            Map.of(
                    "bash",
                    """
                    _coppice() {
                      local IFS=$'\n'
                      local typed=("${COMP_WORDS[@]:1:COMP_CWORD}")
                      COMPREPLY=($(coppice completion words -- "${typed[@]}" 2>/dev/null))
                    }
                    complete -o default -F _coppice coppice
                    """,
                    "zsh",
                    """
                    #compdef coppice
                    _coppice() {
                      local -a typed found
                      typed=("${(@)words[2,CURRENT]}")
                      found=("${(@f)$(coppice completion words -- "${typed[@]}" 2>/dev/null)}")
                      if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
                    }
                    compdef _coppice coppice
                    """,
                    "fish",
                    """
                    function __coppice
                        set -l words (commandline -opc) (commandline -ct)
                        coppice completion words -- $words[2..-1] 2>/dev/null
                    end
                    complete -c coppice -a '(__coppice)'
                    """);

    @Override
    public String name() {
        return "completion";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print a completion script for bash, zsh or fish",
                List.of("[bash|zsh|fish|words]", "[WORD…]"),
                List.of(),
                """
                Completes commands, options, their values, sessions, blueprints and removals.
                'words' prints what can stand in place of the last WORD; the scripts use it.

                  source <(coppice completion bash)
                  coppice completion zsh > ~/.zfunc/_coppice
                  coppice completion fish | source
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var shell = args.wordOrNull(0);
        if (!"words".equals(shell)) {
            console.out().print(SCRIPTS.get(shell == null ? "bash" : shell));
            return Exit.OK;
        }
        var typed = args.words().subList(1, args.words().size());
        var last = typed.isEmpty() ? "" : typed.getLast();
        candidates(typed, args, console).stream()
                .filter(word -> word.startsWith(last))
                .forEach(console.out()::println);
        return Exit.OK;
    }

    private static List<String> candidates(List<String> typed, Args args, Console console) {
        if (typed.size() < 2) return Commands.names(Commands.ofScript(console));
        if (typed.getFirst().equals("help")) return Commands.names(Commands.ofScript(console));
        var command = Commands.named(typed.getFirst());
        if (command == null) return List.of();
        var usage = command.usage();
        var before = typed.subList(1, typed.size() - 1);
        var last = typed.getLast();
        var open = before.isEmpty() ? null : valued(usage, before.getLast());
        if (open != null) return values(open, args, console);
        if (last.startsWith("-")) {
            return usage.all().stream().map(option -> "--" + option.name()).toList();
        }
        return usage.alternativesAt(position(usage, before)).stream()
                .flatMap(alternative -> words(alternative, args, console))
                .toList();
    }

    /** The option whose value is typed next; null if the word is no such option. */
    private static @Nullable Option valued(Usage usage, String word) {
        var option = word.startsWith("-") ? usage.option(word) : null;
        return option == null || option.value() == null ? null : option;
    }

    private static int position(Usage usage, List<String> before) {
        int position = 0;
        for (int i = 0; i < before.size(); i++) {
            var word = before.get(i);
            if (valued(usage, word) != null) i++;
            else if (!word.startsWith("-")) position++;
        }
        return position;
    }

    private static List<String> values(Option option, Args args, Console console) {
        return option.choices().isEmpty()
                ? words(String.valueOf(option.value()), args, console).toList()
                : option.choices();
    }

    /**
     * The words for a keyword or for the label of a value; none for values that only users know.
     */
    private static Stream<String> words(String alternative, Args args, Console console) {
        if (Usage.isKeyword(alternative)) return Stream.of(alternative);
        try {
            var connection = Connection.open(args, console);
            return switch (alternative) {
                case "NAME" -> sessions(connection).stream();
                case "BLUEPRINT" -> blueprints(connection).stream();
                case "ID", "REMOVAL" -> removals(connection).stream();
                case "COMMAND" -> Commands.names(Commands.ofScript(console)).stream();
                default -> Stream.empty();
            };
        } catch (CoppiceClient.Unreachable | Refused | Args.Invalid _) {
            // Without a coordinator there are no names to offer.
            return Stream.empty();
        }
    }

    private static List<String> sessions(Connection connection) {
        var page = new Paging(null, Sizes.PAGE_ITEMS_MAX);
        var find = SessionCalls.Find.of(null, page);
        var names = new ArrayList<String>();
        connection
                .call(SessionCalls.LIST, find)
                .sessions()
                .forEach(s -> names.add(s.sessionName()));
        return names;
    }

    private static List<String> blueprints(Connection connection) {
        var find = new BlueprintCalls.Find(null, null, Sizes.PAGE_ITEMS_MAX);
        return connection.call(BlueprintCalls.LIST, find).documents().stream()
                .map(blueprint -> String.valueOf(Json.text(blueprint.document(), "name")))
                .toList();
    }

    private static List<String> removals(Connection connection) {
        var page = new RemovalCalls.Paged(new Paging(null, Sizes.PAGE_ITEMS_MAX));
        return connection.call(RemovalCalls.LIST, page).removals().stream()
                .map(removal -> removal.removalId())
                .toList();
    }
}
