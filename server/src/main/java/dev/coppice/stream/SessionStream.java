package dev.coppice.stream;

import dev.coppice.follow.Follower;
import dev.coppice.follow.Item;
import dev.coppice.journal.Entry;
import dev.coppice.view.Events;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.event.LiveFrames;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Writes the entries that a reader wants as frames, and a heartbeat while there are none. The
 * connection's time-out drops a reader that is too slow, and the reader continues from its last
 * number when it reconnects.
 */
final class SessionStream implements Follower.Face {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** After this time without a write, a heartbeat shows whether the reader is still there. */
    private static final Duration ASKED_AFTER = Duration.ofSeconds(1);

    private static final byte[] BEAT = ": heartbeat\n\n".getBytes(StandardCharsets.UTF_8);
    private static final Item.Form<byte[]> FRAME =
            new Item.Form<>(byte[].class, SessionStream::frame);

    private final Wanted wanted;
    private final OutputStream out;
    private boolean isWritten;
    private final LongSupplier nanos;
    private long lastWrite;

    SessionStream(Wanted wanted, OutputStream out) {
        this(wanted, out, System::nanoTime);
    }

    SessionStream(Wanted wanted, OutputStream out, LongSupplier nanos) {
        this.wanted = wanted;
        this.out = out;
        this.nanos = nanos;
        this.lastWrite = nanos.getAsLong();
    }

    private static byte[] frame(Entry entry) {
        return Events.frame(entry).written().getBytes(StandardCharsets.UTF_8);
    }

    /** Follows until the reader, its token or the coordinator is gone. */
    void run(Follower follower, long after) throws IOException, InterruptedException {
        follower.from(after, this);
        while (follower.isOpen()) {
            follower.next(HEARTBEAT, this);
            // Entries outside its scope also end the wait, and the reader still needs a heartbeat.
            if (isSilentFor(HEARTBEAT)) write(BEAT);
        }
    }

    private boolean isSilentFor(Duration time) {
        return nanos.getAsLong() - lastWrite >= time.toNanos();
    }

    @Override
    public boolean isThere() {
        try {
            if (isSilentFor(ASKED_AFTER)) write(BEAT);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public void gap(long from, long to) throws IOException {
        var gap = Json.write(new LiveFrames.Gap(from, to));
        var frame = new SseFrame(Long.toString(to), "gap", gap);
        write(frame.written().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void send(Item item) throws IOException {
        if (!wanted.has(item)) return;
        out.write(item.as(FRAME));
        isWritten = true;
    }

    @Override
    public void sent() throws IOException {
        if (!isWritten) return;
        isWritten = false;
        flush();
    }

    private void write(byte[] bytes) throws IOException {
        out.write(bytes);
        flush();
    }

    private void flush() throws IOException {
        out.flush();
        lastWrite = nanos.getAsLong();
    }
}
