package dev.coppice.runner.process;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The marks that every process of a run carries. One is an environment variable, which a program
 * can clear. The other is a limit on the size of files, so high that no file meets it. A process
 * inherits it however it detaches, and an ordinary user cannot raise it.
 */
public final class Mark {
    public static final String RUN = "COPPICE_RUN_ID";
    public static final String RUNNER = "COPPICE_RUNNER_ID";
    public static final String URL = "COPPICE_URL";

    /** The unit of {@code ulimit -f}. */
    private static final long BLOCK_BYTES = 512;

    private static final long BLOCKS_MIN = 1L << 53;

    private Mark() {}

    /** Returns the limit for this run, as {@code ulimit -f} takes it. */
    static long blocks(String run) {
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(run.getBytes(StandardCharsets.UTF_8));
            return BLOCKS_MIN | (ByteBuffer.wrap(digest).getLong() & (BLOCKS_MIN - 1));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** True if a limit marks some run: no other program sets one so high. */
    static boolean isOne(long bytes) {
        return bytes >= BLOCKS_MIN * BLOCK_BYTES;
    }

    /** Returns the limit for this run in bytes, as the kernel shows it. */
    static long bytes(String run) {
        return blocks(run) * BLOCK_BYTES;
    }
}
