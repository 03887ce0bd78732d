package dev.coppice.runner.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A file in the directory of a run, which the agent may have replaced. It is opened for both
 * reading and writing: opening a named pipe for one of them blocks, which would stall the runner.
 * Reads stop at the file's size, which a pipe or a device does not have.
 */
public final class RunFile implements AutoCloseable {
    private static final int TEXT_BYTES_MAX = 64 * 1024;
    private final FileChannel channel;

    private RunFile(FileChannel channel) {
        this.channel = channel;
    }

    public static RunFile open(Path file) throws IOException {
        return new RunFile(
                FileChannel.open(
                        file,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS));
    }

    /** Returns the text of a small file. */
    public static String text(Path file) throws IOException {
        try (var opened = open(file)) {
            return new String(opened.bytes(0, TEXT_BYTES_MAX), StandardCharsets.UTF_8);
        }
    }

    public long size() throws IOException {
        return channel.size();
    }

    /** Returns at most {@code max} bytes from {@code from} on. */
    public byte[] bytes(long from, int max) throws IOException {
        long left = Math.max(0, channel.size() - from);
        var bytes = ByteBuffer.allocate((int) Math.min(max, left));
        int count = 1;
        while (bytes.hasRemaining() && count > 0) {
            count = channel.read(bytes, from + bytes.position());
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /** Keeps at most the first {@code max} bytes. Returns how many are kept. */
    public long cut(long max) throws IOException {
        if (channel.size() > max) channel.truncate(Math.max(0, max));
        return channel.size();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
