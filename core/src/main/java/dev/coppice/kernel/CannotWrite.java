package dev.coppice.kernel;

/**
 * The store accepts no writes at present, for anyone: a full disk, a failing disk. Nothing was
 * written; the store tries again by itself, and holds every lease meanwhile.
 */
public final class CannotWrite extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CannotWrite(String reason, Throwable cause) {
        super(reason, cause);
    }
}
