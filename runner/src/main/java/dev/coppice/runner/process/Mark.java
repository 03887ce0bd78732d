package dev.coppice.runner.process;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What every process of a run carries. One mark is a variable in the environment, which a program
 * can clear. The other is a limit on the size of files, so far up that nothing ever meets it: it is
 * inherited through everything a program can do to get away, and an ordinary user cannot raise it.
 */
public final class Mark {
    public static final String RUN = "COPPICE_RUN_ID";
    public static final String RUNNER = "COPPICE_RUNNER_ID";
    public static final String URL = "COPPICE_URL";

    /** What the shell counts file sizes in. */
    private static final long BLOCK_BYTES = 512;

    private static final long BLOCKS_MIN = 1L << 53;

    private Mark() {}

    /** The limit for this run, as {@code ulimit -f} takes it. */
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

    /** Whether a limit is that of some run; nobody else would set one so high. */
    static boolean isOne(long bytes) {
        return bytes >= BLOCKS_MIN * BLOCK_BYTES;
    }

    /** The same limit, as the kernel shows it. */
    static long bytes(String run) {
        return blocks(run) * BLOCK_BYTES;
    }
}
