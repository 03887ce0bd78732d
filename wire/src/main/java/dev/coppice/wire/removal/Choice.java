package dev.coppice.wire.removal;

/** What a removal can be asked to do; each choice is a word. */
public final class Choice {
    private Choice() {}

    /** What happens to the sessions below. */
    public enum Children {
        CASCADE,
        DETACH,
        REFUSE
    }

    /** What happens to what runs. */
    public enum Running {
        REFUSE,
        STOP
    }

    /** What happens when something must not be interrupted. */
    public enum Critical {
        REFUSE,
        OVERRIDE
    }

    /** When it is gone for good. */
    public enum Purge {
        LATER,
        NOW
    }

    /** What happens to what cannot be stopped in time. */
    public enum Unreachable {
        WAIT,
        ABANDON
    }

    /** What happens to unsaved work. */
    public enum Work {
        PRESERVE,
        DISCARD
    }

    /** Whether a backup is written. */
    public enum Backup {
        YES,
        NO
    }

    /** What happens to files that git ignores. */
    public enum Ignored {
        LIST,
        KEEP,
        SKIP
    }

    /** Which directories are deleted. */
    public enum Directories {
        MADE,
        ALL
    }
}
