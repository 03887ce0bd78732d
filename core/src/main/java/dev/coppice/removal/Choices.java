package dev.coppice.removal;

import dev.coppice.work.DirectoryTask;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What whoever removes a session has decided, each in a word of its own. */
public record Choices(
        Children children,
        Running running,
        Critical critical,
        Purge purge,
        Unreachable unreachable,
        Duration deadline,
        Keeping keeping) {
    public static final Duration DEADLINE = Duration.ofSeconds(60);
    public static final Choices CAREFUL =
            new Choices(
                    Children.CASCADE,
                    Running.REFUSE,
                    Critical.REFUSE,
                    Purge.LATER,
                    Unreachable.WAIT,
                    DEADLINE,
                    Keeping.ALL);

    /** Whether what is unsaved is thrown away. */
    public boolean discards() {
        return keeping.work() == Work.DISCARD;
    }

    /** Each choice by its name, in the words that commands and requests use. */
    public Map<String, String> words() {
        var words = new LinkedHashMap<String, String>();
        words.put("children", word(children));
        words.put("running", word(running));
        words.put("critical", word(critical));
        words.put("purge", word(purge));
        words.put("unreachable", word(unreachable));
        words.put("work", word(keeping.work()));
        words.put("backup", word(keeping.backup()));
        words.put("ignored", word(keeping.ignored()));
        words.put("directories", word(keeping.directories()));
        return Collections.unmodifiableMap(words);
    }

    private static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    /** The choices that differ from {@link #CAREFUL}. Digests hold these, and no later default. */
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

    Choices with(Unreachable other) {
        return new Choices(children, running, critical, purge, other, deadline, keeping);
    }

    /** What is kept of what goes. */
    public record Keeping(
            Work work,
            Backup backup,
            DirectoryTask.Ignored ignored,
            DirectoryTask.Directories directories) {
        public static final Keeping ALL =
                new Keeping(
                        Work.PRESERVE,
                        Backup.YES,
                        DirectoryTask.Ignored.LIST,
                        DirectoryTask.Directories.MADE);
    }

    /** What becomes of work that is saved nowhere else. */
    public enum Work {
        /** It is kept, and that is proved, before anything goes. */
        PRESERVE,
        DISCARD
    }

    /** Whether all of it is written into one file first. */
    public enum Backup {
        YES,
        NO
    }

    /** What becomes of the sessions below. */
    public enum Children {
        /** They go too, and all below them. */
        CASCADE,
        /** They stay, each the root of a tree of its own. */
        DETACH,
        /** While there are any nothing is removed. */
        REFUSE
    }

    /** What happens when something still runs. */
    public enum Running {
        REFUSE,
        STOP
    }

    /** What happens when something must not be broken off. */
    public enum Critical {
        REFUSE,
        OVERRIDE
    }

    /** When it is gone for good. */
    public enum Purge {
        /** When the time for an undo is over. */
        LATER,
        NOW
    }

    /** What happens with what cannot be stopped in time. */
    public enum Unreachable {
        WAIT,
        /** Its run counts as lost; its processes are ended when its runner comes back. */
        ABANDON
    }
}
