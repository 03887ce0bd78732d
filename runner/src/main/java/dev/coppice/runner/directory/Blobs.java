package dev.coppice.runner.directory;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Reads blobs of a repository, one after the other, through one git process. */
final class Blobs implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;
    private final Process process;
    private final InputStream in;
    private final OutputStream out;

    Blobs(Git git) {
        process = git.open("cat-file", "--batch");
        in = new BufferedInputStream(process.getInputStream(), BUFFER_BYTES);
        out = process.getOutputStream();
    }

    void copy(String hash, OutputStream to) throws IOException {
        out.write((hash + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        var buffer = new byte[BUFFER_BYTES];
        for (long left = size(); left > 0; ) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) throw new IOException("git ended before it wrote the whole object");
            to.write(buffer, 0, read);
            left -= read;
        }
        if (in.read() != '\n') throw new IOException("git wrote more than the size it announced");
    }

    private long size() throws IOException {
        var header = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) header.append((char) c);
        var parts = header.toString().split(" ", -1);
        if (parts.length != 3) throw new GitFailed("git has no such object: " + header);
        return Long.parseLong(parts[2]);
    }

    @Override
    public void close() {
        process.destroy();
    }
}
