package dev.coppice.removal;

import java.time.Duration;

/** What whoever removes a session has decided, each in a word of its own. */
public record Choices(
        Children children,
        Running running,
        Critical critical,
        Purge purge,
        Unreachable unreachable,
        Duration deadline) {
    public static final Duration DEADLINE = Duration.ofSeconds(60);
    public static final Choices CAREFUL =
            new Choices(
                    Children.CASCADE,
                    Running.REFUSE,
                    Critical.REFUSE,
                    Purge.LATER,
                    Unreachable.WAIT,
                    DEADLINE);

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
