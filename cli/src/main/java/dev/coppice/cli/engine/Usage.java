package dev.coppice.cli.engine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The usage of a command: its summary, arguments, options and further help. */
public record Usage(String summary, List<String> words, List<Option> options, String more) {
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

    @Nullable Option option(String argument) {
        for (var option : options) {
            if (argument.equals("--" + option.name()) || argument.equals("-" + option.letter()))
                return option;
        }
        return null;
    }

    /** The number of required arguments; those in brackets are optional. */
    long wordsMin() {
        return words.stream().filter(w -> !w.startsWith("[")).count();
    }

    public String help(String name) {
        var text = new StringBuilder(summary).append("\n\n  coppice ").append(name);
        words.forEach(word -> text.append(' ').append(word));
        text.append(" [options]\n\n");
        for (var option : options) text.append(line(option));
        if (!more.isEmpty()) text.append('\n').append(more.stripTrailing()).append('\n');
        return text.toString();
    }

    private static String line(Option option) {
        var names = option.letter() == null ? "    " : "-" + option.letter() + ", ";
        var value = option.value() == null ? "" : " " + option.value();
        return "  %-28s %s%n".formatted(names + "--" + option.name() + value, option.meaning());
    }
}
