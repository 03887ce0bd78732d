package dev.coppice.cli.engine;

import dev.coppice.wire.Length;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The arguments of a command, parsed according to its usage. */
public final class Args {
    private final Map<String, String> options;
    private final List<String> words;

    private Args(Map<String, String> options, List<String> words) {
        this.options = Map.copyOf(options);
        this.words = List.copyOf(words);
    }

    /** The command line is not valid. */
    public static final class Invalid extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Invalid(String message) {
            super(message);
        }
    }

    public static Args read(Usage usage, List<String> arguments) {
        var options = new HashMap<String, String>();
        var words = new ArrayList<String>();
        boolean onlyWords = false;
        for (int i = 0; i < arguments.size(); i++) {
            var argument = arguments.get(i);
            if (onlyWords || !argument.startsWith("-") || argument.equals("-")) {
                words.add(argument);
            } else if (argument.equals("--")) {
                onlyWords = true;
            } else {
                i +=
                        option(
                                usage,
                                argument,
                                i + 1 < arguments.size() ? arguments.get(i + 1) : null,
                                options);
            }
        }
        return checked(usage, new Args(options, words));
    }

    /** Reads one option; returns 1 if it consumed the next argument, else 0. */
    private static int option(
            Usage usage, String argument, @Nullable String next, Map<String, String> options) {
        int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
        var name = equals < 0 ? argument : argument.substring(0, equals);
        var option = usage.option(name);
        if (option == null) throw new Invalid("unknown option '" + name + "'");
        if (option.value() == null) {
            if (equals >= 0) throw new Invalid(name + " takes no value");
            options.put(option.name(), "true");
            return 0;
        }
        if (equals >= 0) {
            options.put(option.name(), argument.substring(equals + 1));
            return 0;
        }
        if (next == null) throw new Invalid(name + " needs " + option.value());
        options.put(option.name(), next);
        return 1;
    }

    private static Args checked(Usage usage, Args args) {
        if (args.words.size() < usage.wordsMin()) {
            throw new Invalid(usage.words().get(args.words.size()) + " is missing");
        }
        if (args.words.size() > usage.words().size()) {
            throw new Invalid(
                    "unexpected argument '%s'".formatted(args.words.get(usage.words().size())));
        }
        return args;
    }

    public boolean has(Option option) {
        return options.containsKey(option.name());
    }

    public boolean has(String option) {
        return options.containsKey(option);
    }

    public @Nullable String value(String option) {
        return options.get(option);
    }

    public String value(String option, String fallback) {
        return options.getOrDefault(option, fallback);
    }

    /** The value as a whole number; null if the option was not given. */
    public @Nullable Long number(String option) {
        var value = value(option);
        if (value == null) return null;
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException _) {
            throw new Invalid("--%s is '%s'; it must be a whole number".formatted(option, value));
        }
    }

    int count(String option, int fallback) {
        var number = number(option);
        return number == null ? fallback : Math.toIntExact(number);
    }

    public @Nullable Length length(String option) {
        var value = value(option);
        if (value == null) return null;
        if (Length.read(value) != null) return Length.of(value);
        throw new Invalid("--%s is '%s'; it must be %s".formatted(option, value, Length.RULE));
    }

    /** The value as a constant of the enum; null if the option was not given. */
    public <E extends Enum<E>> @Nullable E choice(String option, Class<E> type) {
        var value = value(option);
        return value == null ? null : chosen(option, value, type);
    }

    private static <E extends Enum<E>> E chosen(String option, String value, Class<E> type) {
        for (var constant : type.getEnumConstants()) {
            if (Shape.word(constant).equals(value)) return constant;
        }
        var words = Stream.of(type.getEnumConstants()).map(Shape::word).toList();
        throw new Invalid(
                "--%s is '%s'; it must be one of %s"
                        .formatted(option, value, String.join(", ", words)));
    }

    public <E extends Enum<E>> E choice(String option, E fallback) {
        var chosen = choice(option, fallback.getDeclaringClass());
        return chosen == null ? fallback : chosen;
    }

    /** The comma-separated constants of the enum; null if the option was not given. */
    public <E extends Enum<E>> @Nullable List<E> choices(String option, Class<E> type) {
        var all = list(option);
        return all == null ? null : all.stream().map(word -> chosen(option, word, type)).toList();
    }

    /** The comma-separated values; null if the option was not given. */
    public @Nullable List<String> list(String option) {
        var value = value(option);
        return value == null ? null : List.of(value.split(",", -1));
    }

    /** The page that --after and --limit select. */
    public Paging page() {
        return new Paging(value("after"), count("limit", 100));
    }

    public String word(int at) {
        return words.get(at);
    }

    public @Nullable String wordOrNull(int at) {
        return at < words.size() ? words.get(at) : null;
    }
}
