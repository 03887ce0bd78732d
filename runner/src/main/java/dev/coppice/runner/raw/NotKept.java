package dev.coppice.runner.raw;

/** Work could not be looked at, kept, given back or taken away; says why, and what stays. */
public class NotKept extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotKept(String message) {
        super(message);
    }
}
