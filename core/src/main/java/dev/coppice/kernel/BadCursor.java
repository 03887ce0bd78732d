package dev.coppice.kernel;

/** The cursor in a request is malformed. The message is the cursor. */
public final class BadCursor extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadCursor(String cursor) {
        super(cursor);
    }
}
