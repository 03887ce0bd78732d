package dev.coppice.work;

import dev.coppice.kernel.SessionId;

/** A directory in which a session worked, and where the output of its runs lies on that host. */
public record Workplace(
        SessionId session, String host, String directory, Made made, String outputs) {

    /** The maker of the directory. Only directories that a runner made are ever deleted. */
    public enum Made {
        BY_COPPICE,
        BY_OTHERS
    }
}
