package dev.coppice.client;

/**
 * The lock of a data directory. A process that changes the directory locks the first byte: one
 * process at a time. A coordinator that answers requests locks the second byte, too, so the runners
 * of its machine can tell it from one that waits for its database and renews no lease.
 *
 * <p>Earlier coordinators locked the whole file. To readers of these two bytes, they answer
 * requests from their start. They see both bytes as taken.
 */
public final class CoordinatorLock {
    public static final String FILE = "lock";
    public static final long OWNER_BYTE = 0;
    public static final long SERVING_BYTE = 1;

    private CoordinatorLock() {}
}
