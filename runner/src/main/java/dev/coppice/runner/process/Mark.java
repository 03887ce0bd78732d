package dev.coppice.runner.process;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

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

    /**
     * The limit of a process that waits for its run. It is the highest: limits can only be lowered.
     */
    static final long SPARE_BYTES = (2 * BLOCKS_MIN - 1) * BLOCK_BYTES;

    /** Returns the command line that sets the limit for this run, then runs the command. */
    static List<String> around(String run, List<String> command) {
        var line = new ArrayList<String>();
        line.addAll(List.of("/bin/sh", "-c", "ulimit -f \"$0\" 2>/dev/null; exec \"$@\""));
        line.add(Long.toString(blocks(run)));
        line.addAll(command);
        return List.copyOf(line);
    }

    /** Returns the limit for this run, as {@code ulimit -f} takes it. */
    private static long blocks(String run) {
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
