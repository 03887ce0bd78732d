package dev.coppice.store.engine;

/** A database operation failed; the message names the operation. */
public final class StoreFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StoreFailed(String attempted, Throwable cause) {
        super(attempted, cause);
    }
}
