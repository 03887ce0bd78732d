package dev.coppice.removal;

import dev.coppice.word.Choice;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The choices of a removal. A step that takes longer than the deadline is late. */
public record Choices(
        Choice.Children children,
        Choice.Running running,
        Choice.Critical critical,
        Choice.Purge purge,
        Choice.Unreachable unreachable,
        Duration deadline,
        Preservation preservation) {
    public static final Duration DEADLINE = Duration.ofSeconds(60);
    public static final Choices CAREFUL =
            new Choices(
                    Choice.Children.CASCADE,
                    Choice.Running.REFUSE,
                    Choice.Critical.REFUSE,
                    Choice.Purge.LATER,
                    Choice.Unreachable.WAIT,
                    DEADLINE,
                    Preservation.ALL);

    /** True if unsaved work is discarded. */
    public boolean discards() {
        return preservation.work() == Choice.Work.DISCARD;
    }

    /** Each choice by its name, in the words that commands and requests use. */
    public Map<String, String> words() {
        var words = new LinkedHashMap<String, String>();
        words.put("children", word(children));
        words.put("running", word(running));
        words.put("critical", word(critical));
        words.put("purge", word(purge));
        words.put("unreachable", word(unreachable));
        words.put("work", word(preservation.work()));
        words.put("backup", word(preservation.backup()));
        words.put("ignored", word(preservation.ignored()));
        words.put("directories", word(preservation.directories()));
        return Collections.unmodifiableMap(words);
    }

    private static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The choices that differ from {@link #CAREFUL}. Digests hold only these, so that a choice that
     * is added later, with a default, does not change them.
     */
    Map<String, String> chosen() {
        var chosen = new LinkedHashMap<>(words());
        chosen.entrySet().removeAll(CAREFUL.words().entrySet());
        if (!deadline.equals(DEADLINE)) chosen.put("deadline", deadline.toMillis() + "ms");
        return chosen;
    }

    /** All choices for the audit, such as {@code children=cascade}. */
    String described() {
        var all = new LinkedHashMap<>(words());
        all.put("deadline", deadline.toSeconds() + "s");
        return all.entrySet().stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    public Choices with(Choice.Unreachable other) {
        return new Choices(children, running, critical, purge, other, deadline, preservation);
    }

    /** The parts of a tree that are preserved before it is removed. */
    public record Preservation(
            Choice.Work work,
            Choice.Backup backup,
            Choice.Ignored ignored,
            Choice.Directories directories) {
        public static final Preservation ALL =
                new Preservation(
                        Choice.Work.PRESERVE,
                        Choice.Backup.YES,
                        Choice.Ignored.LIST,
                        Choice.Directories.MADE);
    }
}
