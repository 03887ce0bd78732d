package dev.coppice.cli.engine;

import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/**
 * An option: its long name, its letter if any, the label of its value if any, its meaning, and the
 * values among which it chooses, if they are few.
 */
public record Option(
        String name,
        @Nullable String letter,
        @Nullable String value,
        String meaning,
        List<String> choices,
        boolean isRepeatable) {
    public static final Option JSON = flag("json", "print the output as JSON");
    public static final Option DATA =
            of("data", "DIR", "the data directory (default COPPICE_DATA, else ~/.coppice)");

    /** Options of every command, which its help does not repeat. */
    public static final List<Option> OF_ALL =
            List.of(
                    of("config", "FILE", "the configuration file"),
                    of("context", "NAME", "the coordinator to call (see 'context')"));

    public Option {
        choices = List.copyOf(choices);
    }

    public static Option flag(String name, String meaning) {
        return new Option(name, null, null, meaning, List.of(), false);
    }

    public static Option of(String name, String value, String meaning) {
        return new Option(name, null, value, meaning, List.of(), false);
    }

    /** This option, which may be given several times: its values are joined with commas. */
    public Option repeatable() {
        return new Option(name, letter, value, meaning, choices, true);
    }

    public Option as(String shortLetter) {
        return new Option(name, shortLetter, value, meaning, choices, isRepeatable);
    }

    /** This option, with the constants of an enum as its possible values. */
    public <E extends Enum<E>> Option among(Class<E> type) {
        return among(wordsOf(type));
    }

    public Option among(List<String> words) {
        return new Option(name, letter, value, meaning, words, isRepeatable);
    }

    /** The line of the help about this option. */
    public String help() {
        var names = letter == null ? "    " : "-" + letter + ", ";
        var taken = value == null ? "" : " " + value;
        return "  %-28s %s%n".formatted(names + "--" + name + taken, meaning);
    }

    static <E extends Enum<E>> List<String> wordsOf(Class<E> type) {
        return Stream.of(type.getEnumConstants()).map(Shape::word).toList();
    }
}
