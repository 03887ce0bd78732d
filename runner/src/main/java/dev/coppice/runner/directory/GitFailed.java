package dev.coppice.runner.directory;

import dev.coppice.runner.raw.PreservationFailed;

/** Git failed, or what it was to read or write is not as expected; the message says why. */
final class GitFailed extends PreservationFailed {
    private static final long serialVersionUID = 1;

    GitFailed(String message) {
        super(message);
    }
}
