package dev.coppice.word;

/** The policy for a live session whose parent ends. */
public enum OnParentEnd {
    /** The session is stopped. */
    STOP,
    /** The session goes on, unless its parent was stopped: then it is stopped, too. */
    KEEP,
    /** The session goes on in any case, and is listed as abandoned. */
    ABANDON,
    /** The session is asked to finish. */
    ASK;

    /** True if the session is stopped when its parent is stopped. */
    public boolean isStoppedWithParent() {
        return this == STOP || this == KEEP;
    }
}
