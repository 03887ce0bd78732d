package dev.coppice.runner.raw;

/** Work could not be inspected, preserved, restored or deleted; the message says why. */
public class PreservationFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public PreservationFailed(String message) {
        super(message);
    }
}
