package dev.coppice.removal;

import dev.coppice.work.Errand;

import java.time.Duration;

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

    Choices with(Unreachable other) {
        return new Choices(children, running, critical, purge, other, deadline, keeping);
    }

    /** What is kept of what goes. */
    public record Keeping(
            Work work, Backup backup, Errand.Ignored ignored, Errand.Directories directories) {
        public static final Keeping ALL =
                new Keeping(
                        Work.PRESERVE, Backup.YES, Errand.Ignored.LIST, Errand.Directories.MADE);
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
