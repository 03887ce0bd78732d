package dev.coppice.cli.engine;

import dev.coppice.wire.Length;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

        /** An invalid word, with the known ones that are near it. */
        public static Invalid near(String message, String typed, List<String> known) {
            var offer = Near.offer(typed, known);
            return new Invalid(offer.isEmpty() ? message : message + ". " + offer);
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
        if (option == null) {
            var known = usage.all().stream().map(o -> "--" + o.name()).toList();
            throw Invalid.near("unknown option '" + name + "'", name, known);
        }
        if (option.value() == null) {
            if (equals >= 0) throw new Invalid(name + " takes no value");
            options.put(option.name(), "true");
            return 0;
        }
        if (equals >= 0) {
            put(options, option, argument.substring(equals + 1));
            return 0;
        }
        if (next == null) throw new Invalid(name + " needs " + option.value());
        put(options, option, next);
        return 1;
    }

    private static void put(Map<String, String> options, Option option, String value) {
        options.merge(
                option.name(),
                value,
                (before, now) -> option.isRepeatable() ? before + "," + now : now);
    }

    private static Args checked(Usage usage, Args args) {
        if (args.words.size() < usage.wordsMin()) {
            throw new Invalid(usage.labels().get(args.words.size()) + " is missing");
        }
        if (args.words.size() > usage.wordsMax()) {
            throw new Invalid(
                    "unexpected argument '%s'".formatted(args.words.get(usage.wordsMax())));
        }
        for (int i = 0; i < args.words.size(); i++) {
            var keywords = usage.keywordsAt(i);
            var word = args.words.get(i);
            if (!keywords.isEmpty() && !keywords.contains(word)) {
                throw Invalid.near(
                        "'%s' is not one of %s".formatted(word, String.join(", ", keywords)),
                        word,
                        keywords);
            }
        }
        return args;
    }

    /** These arguments without the options that have this value. */
    public Args without(String value) {
        var others = new HashMap<>(options);
        others.values().removeIf(value::equals);
        return new Args(others, words);
    }

    /** These arguments with an option set to this value. */
    public Args with(Option option, String value) {
        var others = new HashMap<>(options);
        others.put(option.name(), value);
        return new Args(others, words);
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

    /** The value as a whole number from 1; the fallback if the option was not given. */
    public int count(String option, int fallback) {
        var number = number(option);
        if (number == null) return fallback;
        if (number >= 1 && number <= Integer.MAX_VALUE) return number.intValue();
        throw new Invalid(
                "--%s is '%s'; it must be a whole number from 1".formatted(option, number));
    }

    /** The value as a decimal number; null if the option was not given. */
    public @Nullable BigDecimal decimal(String option) {
        var value = value(option);
        if (value == null) return null;
        try {
            return new BigDecimal(value);
        } catch (NumberFormatException _) {
            throw new Invalid("--%s is '%s'; it must be a number".formatted(option, value));
        }
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
        var words = Option.wordsOf(type);
        throw Invalid.near(
                "--%s is '%s'; it must be one of %s"
                        .formatted(option, value, String.join(", ", words)),
                value,
                words);
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

    /** The file that a word names; a missing or unreadable one is reported as such. */
    public Path file(int at) {
        var file = Path.of(words.get(at));
        try {
            Files.newInputStream(file).close();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    public List<String> words() {
        return words;
    }

    public String word(int at) {
        return words.get(at);
    }

    public @Nullable String wordOrNull(int at) {
        return at < words.size() ? words.get(at) : null;
    }
}
