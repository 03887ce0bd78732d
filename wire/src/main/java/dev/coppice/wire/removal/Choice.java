package dev.coppice.wire.removal;

/** The choices for a removal. */
public final class Choice {
    private Choice() {}

    /** The policy for the sessions below. */
    public enum Children {
        CASCADE,
        DETACH,
        REFUSE
    }

    /** The policy for live sessions. */
    public enum Running {
        REFUSE,
        STOP
    }

    /** The policy for critical operations. */
    public enum Critical {
        REFUSE,
        OVERRIDE
    }

    /** The time of the purge. */
    public enum Purge {
        LATER,
        NOW
    }

    /** The policy for processes and hosts that do not stop or answer in time. */
    public enum Unreachable {
        WAIT,
        ABANDON
    }

    /** The policy for unsaved work. */
    public enum Work {
        PRESERVE,
        DISCARD
    }

    /** The policy for the backup. */
    public enum Backup {
        YES,
        NO
    }

    /** The policy for files that git ignores. */
    public enum Ignored {
        LIST,
        KEEP,
        SKIP
    }

    /** The directories without git whose content is preserved. */
    public enum Directories {
        MADE,
        ALL
    }
}
