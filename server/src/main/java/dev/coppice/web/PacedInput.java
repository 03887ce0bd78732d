package dev.coppice.web;

import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;

import org.eclipse.jetty.io.Content;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A body that must come at a least rate: it holds memory that other requests wait for. The time-out
 * of its connection only notices a sender that sends nothing at all.
 */
final class PacedInput extends FilterInputStream {
    static final Duration GRACE = Duration.ofSeconds(15);
    static final int BYTES_A_SECOND_MIN = 32 * 1024;

    private static final int PIECE_BYTES = 8 * 1024;

    private final LongSupplier nanos;
    private long waitedNanos;
    private long bytes;

    PacedInput(InputStream in, LongSupplier nanos) {
        super(in);
        this.nanos = nanos;
    }

    static PacedInput of(Content.Source source) {
        return new PacedInput(Content.Source.asInputStream(source), System::nanoTime);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        // Only while it waits for bytes: a request also waits for room, between its reads.
        long began = nanos.getAsLong();
        int n = in.read(into, from, most);
        waitedNanos += nanos.getAsLong() - began;
        if (n < 0) return n;
        bytes += n;
        long seconds = Duration.ofNanos(waitedNanos).toSeconds();
        if (seconds <= GRACE.toSeconds() + bytes / BYTES_A_SECOND_MIN) return n;
        throw new Rejected(
                new RequestRefusal.BadValue(
                        "body",
                        "%d bytes in %d s".formatted(bytes, seconds),
                        "sent with %d bytes a second or more".formatted(BYTES_A_SECOND_MIN)));
    }

    @Override
    public long skip(long most) throws IOException {
        return Math.max(0, read(new byte[(int) Math.min(most, PIECE_BYTES)]));
    }
}
