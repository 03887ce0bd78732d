package dev.coppice.kernel;

/** The cursor of a request is not one that a page has returned. */
public final class BadCursor extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadCursor(String cursor) {
        super(cursor);
    }
}
