package dev.coppice.kernel;

/** Where someone asks to go on is no place that any page has named. */
public final class BadCursor extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadCursor(String cursor) {
        super(cursor);
    }
}
