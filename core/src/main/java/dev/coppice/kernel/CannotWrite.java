package dev.coppice.kernel;

/**
 * The store accepts no writes at present, for example because the disk is full or fails. Nothing
 * was written. The store retries by itself, and no lease expires meanwhile.
 */
public final class CannotWrite extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CannotWrite(String reason, Throwable cause) {
        super(reason, cause);
    }
}
