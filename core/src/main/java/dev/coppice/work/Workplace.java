package dev.coppice.work;

import dev.coppice.kernel.SessionId;

/**
 * A directory in which a session has worked, and where on that host the output of its runs lies.
 */
public record Workplace(
        SessionId session, String host, String directory, Made made, String outputs) {

    /** Whose directory it is. Only what a runner has made itself is ever deleted. */
    public enum Made {
        BY_COPPICE,
        BY_OTHERS
    }
}
