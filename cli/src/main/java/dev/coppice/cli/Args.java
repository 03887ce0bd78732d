package dev.coppice.cli;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A command line, read against a command's usage. */
final class Args {
    private final Map<String, String> options;
    private final List<String> words;

    private Args(Map<String, String> options, List<String> words) {
        this.options = Map.copyOf(options);
        this.words = List.copyOf(words);
    }

    /** The command line makes no sense. */
    static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }

    static Args read(Usage usage, List<String> line) {
        var options = new HashMap<String, String>();
        var words = new ArrayList<String>();
        boolean onlyWords = false;
        for (int i = 0; i < line.size(); i++) {
            var said = line.get(i);
            if (onlyWords || !said.startsWith("-") || said.equals("-")) {
                words.add(said);
            } else if (said.equals("--")) {
                onlyWords = true;
            } else {
                i += option(usage, said, i + 1 < line.size() ? line.get(i + 1) : null, options);
            }
        }
        return checked(usage, new Args(options, words));
    }

    /** How many further words the option took. */
    private static int option(
            Usage usage, String said, @Nullable String next, Map<String, String> options) {
        int equals = said.startsWith("--") ? said.indexOf('=') : -1;
        var name = equals < 0 ? said : said.substring(0, equals);
        var option = usage.option(name);
        if (option == null) throw new Wrong("there is no option " + name);
        if (option.value() == null) {
            if (equals >= 0) throw new Wrong(name + " takes no value");
            options.put(option.name(), "true");
            return 0;
        }
        if (equals >= 0) {
            options.put(option.name(), said.substring(equals + 1));
            return 0;
        }
        if (next == null) throw new Wrong(name + " needs " + option.value());
        options.put(option.name(), next);
        return 1;
    }

    private static Args checked(Usage usage, Args args) {
        if (args.words.size() < usage.wordsMin()) {
            throw new Wrong(usage.words().get(args.words.size()) + " is missing");
        }
        if (args.words.size() > usage.words().size()) {
            throw new Wrong(
                    "nothing is known to be done with '%s'".formatted(args.words.getLast()));
        }
        return args;
    }

    boolean has(Option option) {
        return options.containsKey(option.name());
    }

    boolean has(String option) {
        return options.containsKey(option);
    }

    @Nullable String value(String option) {
        return options.get(option);
    }

    String value(String option, String absent) {
        return options.getOrDefault(option, absent);
    }

    String word(int at) {
        return words.get(at);
    }

    @Nullable String wordOrNull(int at) {
        return at < words.size() ? words.get(at) : null;
    }
}
