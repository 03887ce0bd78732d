package dev.coppice.removal;

import dev.coppice.work.DirectoryTask;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The choices of a removal, each an enum with words of its own. */
public record Choices(
        Children children,
        Running running,
        Critical critical,
        Purge purge,
        Unreachable unreachable,
        Duration deadline,
        Preservation preservation) {
    public static final Duration DEADLINE = Duration.ofSeconds(60);
    public static final Choices CAREFUL =
            new Choices(
                    Children.CASCADE,
                    Running.REFUSE,
                    Critical.REFUSE,
                    Purge.LATER,
                    Unreachable.WAIT,
                    DEADLINE,
                    Preservation.ALL);

    /** True if unsaved work is discarded. */
    public boolean discards() {
        return preservation.work() == Work.DISCARD;
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

    /** For the audit: every choice, as {@code children=cascade}. */
    String described() {
        var all = new LinkedHashMap<>(words());
        all.put("deadline", deadline.toSeconds() + "s");
        return all.entrySet().stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    public Choices with(Unreachable other) {
        return new Choices(children, running, critical, purge, other, deadline, preservation);
    }

    /** The parts of a tree that are preserved before it is removed. */
    public record Preservation(
            Work work,
            Backup backup,
            DirectoryTask.Ignored ignored,
            DirectoryTask.Directories directories) {
        public static final Preservation ALL =
                new Preservation(
                        Work.PRESERVE,
                        Backup.YES,
                        DirectoryTask.Ignored.LIST,
                        DirectoryTask.Directories.MADE);
    }

    /** The fate of work that is saved nowhere else. */
    public enum Work {
        /** The work is preserved and verified before anything is deleted. */
        PRESERVE,
        DISCARD
    }

    /** The choice to write the tree into one file first. */
    public enum Backup {
        YES,
        NO
    }

    /** The fate of the sessions below. */
    public enum Children {
        /** All descendants are removed too. */
        CASCADE,
        /** Each child stays and becomes the root of its own tree. */
        DETACH,
        /** The removal is refused while the session has children. */
        REFUSE
    }

    /** The reaction to live sessions. */
    public enum Running {
        REFUSE,
        STOP
    }

    /** The reaction to critical operations. */
    public enum Critical {
        REFUSE,
        OVERRIDE
    }

    /** The time of the purge. */
    public enum Purge {
        /** At the end of the undo window. */
        LATER,
        NOW
    }

    /** The treatment of sessions and hosts that do not answer in time. */
    public enum Unreachable {
        WAIT,
        /** The run counts as lost; its processes are killed when its runner comes back. */
        ABANDON
    }
}
