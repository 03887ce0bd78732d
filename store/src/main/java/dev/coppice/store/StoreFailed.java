package dev.coppice.store;

/** The database could not do what was asked; says what was being attempted. */
public final class StoreFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoreFailed(String attempted, Throwable cause) {
        super(attempted, cause);
    }
}
