package dev.coppice.word;

/** The choices for a removal. */
public final class Choice {
    private Choice() {}

    /** The policy for the sessions below. */
    public enum Children {
        /** All descendants are removed too. */
        CASCADE,
        /** Each child stays and becomes the root of its own tree. */
        DETACH,
        /** The removal is refused while the session has children. */
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
        /** At the end of the undo window. */
        LATER,
        NOW
    }

    /** The policy for processes and hosts that do not stop or answer in time. */
    public enum Unreachable {
        WAIT,
        /** The run counts as lost; its processes are killed when its runner comes back. */
        ABANDON
    }

    /** The policy for unsaved work. */
    public enum Work {
        /** The work is preserved and verified before anything is deleted. */
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
        /** Only their names are preserved. */
        LIST,
        /** Small ones are preserved. */
        KEEP,
        SKIP
    }

    /** The directories without git whose content is preserved. */
    public enum Directories {
        /** Directories that Coppice made; no others are ever deleted. */
        MADE,
        ALL
    }
}
