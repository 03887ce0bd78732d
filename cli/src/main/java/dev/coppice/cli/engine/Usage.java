package dev.coppice.cli.engine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The usage of a command: its summary, arguments, options and further help. */
public record Usage(String summary, List<String> words, List<Option> options, String more) {
    private static final String REPEATED = "…";

    public Usage {
        words = List.copyOf(words);
        options = List.copyOf(options);
    }

    public static Usage of(String summary, List<String> words, List<Option> options, String more) {
        var all = new ArrayList<>(options);
        all.add(Option.JSON);
        all.add(Option.DATA);
        return new Usage(summary, words, all, more);
    }

    public @Nullable Option option(String argument) {
        for (var option : all()) {
            boolean isLetter = option.letter() != null && argument.equals("-" + option.letter());
            if (isLetter || argument.equals("--" + option.name())) return option;
        }
        return null;
    }

    /** The options of this command, and those of every command. */
    public List<Option> all() {
        return Stream.concat(options.stream(), Option.OF_ALL.stream()).toList();
    }

    /** The number of required arguments; those in brackets are optional. */
    int wordsMin() {
        return (int) words.stream().filter(w -> !w.startsWith("[")).count();
    }

    /** The maximum number of arguments; the last one with an ellipsis can be repeated. */
    int wordsMax() {
        return isRepeatable() ? Integer.MAX_VALUE : words.size();
    }

    private boolean isRepeatable() {
        return !words.isEmpty() && words.getLast().contains(REPEATED);
    }

    /** The labels of the arguments, without brackets. */
    List<String> labels() {
        return words.stream().map(w -> w.replaceAll("[\\[\\]" + REPEATED + "]", "")).toList();
    }

    /** The words allowed at a position: keywords in lower case, labels of values in upper case. */
    public List<String> alternativesAt(int position) {
        if (position >= wordsMax()) return List.of();
        return List.of(labels().get(Math.min(position, words.size() - 1)).split("\\|", -1));
    }

    /** The keywords among which the argument at a position chooses; empty if it can be a value. */
    List<String> keywordsAt(int position) {
        var all = alternativesAt(position);
        return all.stream().allMatch(Usage::isKeyword) ? all : List.of();
    }

    public static boolean isKeyword(String alternative) {
        return alternative.equals(alternative.toLowerCase(Locale.ROOT));
    }

    public String help(String name) {
        var text = new StringBuilder(summary).append("\n\n  coppice ").append(name);
        words.forEach(word -> text.append(' ').append(word));
        text.append(" [options]\n\n");
        for (var option : options) text.append(option.help());
        if (!more.isEmpty()) text.append('\n').append(more.stripTrailing()).append('\n');
        return text.toString();
    }
}
