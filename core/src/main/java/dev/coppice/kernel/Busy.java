package dev.coppice.kernel;

/**
 * The coordinator has no place at present for something that it does for a caller. Nothing was
 * done, and the same request helps later: it is no refusal of the request.
 */
public final class Busy extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Busy(String what) {
        super(what, null, false, false);
    }
}
