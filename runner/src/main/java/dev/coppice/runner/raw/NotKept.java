package dev.coppice.runner.raw;

/** Work could not be inspected, preserved, restored or deleted; the message says why. */
public class NotKept extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotKept(String message) {
        super(message);
    }
}
