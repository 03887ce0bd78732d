package dev.coppice.live;

import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.session.ChangeCalls;
import dev.coppice.wire.session.ChangeCalls.Changed;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Tells one reader which sessions have changed. It says that something has changed and never how,
 * so a lost frame costs nothing: the reader reads again what it shows. That is why a reader that
 * was away gets one frame, and no replay.
 */
final class ChangeStream {
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final int ENTRIES_MAX = 4096;
    private static final byte[] BEAT = ": heartbeat\n\n".getBytes(StandardCharsets.UTF_8);

    private final Tail tail;
    private final InstantSource clock;
    private final Predicate<SessionId> isVisible;
    private final BooleanSupplier isGood;
    private long lastWrite = System.nanoTime();

    ChangeStream(
            Tail tail,
            InstantSource clock,
            Predicate<SessionId> isVisible,
            BooleanSupplier isGood) {
        this.tail = tail;
        this.clock = clock;
        this.isVisible = isVisible;
        this.isGood = isGood;
    }

    /** Follows until the reader, its token or the coordinator is gone. */
    void run(@Nullable Long after, long head, OutputStream out)
            throws IOException, InterruptedException {
        tail.join();
        try {
            boolean missed = after != null && after != head;
            send(new Changed(head, missed ? null : 0L, missed ? null : List.of(), now()), out);
            follow(head, out);
        } finally {
            tail.leave();
        }
    }

    private void follow(long head, OutputStream out) throws IOException, InterruptedException {
        long at = head;
        while (tail.isOpen()) {
            tail.awaitPast(at, HEARTBEAT);
            if (!tail.isOpen() || !isGood.getAsBoolean()) return;
            boolean isBehind = tail.last() > at;
            if (isBehind) at = tell(at, out);
            // Changes that it may not see also end the wait, and it still needs a heartbeat.
            if (System.nanoTime() - lastWrite >= HEARTBEAT.toNanos()) write(BEAT, out);
            if (!isBehind) continue;
            // Whatever happens meanwhile goes into the next frame.
            tail.awaitPast(Long.MAX_VALUE, PAUSE);
        }
    }

    /** Sends what is new after a number, and returns the number up to which the reader knows. */
    private long tell(long at, OutputStream out) throws IOException {
        var ready = tail.after(at, ENTRIES_MAX);
        if (ready.isEmpty()) {
            long last = tail.last();
            send(new Changed(last, null, null, now()), out);
            return last;
        }
        long upTo = at;
        long count = 0;
        var hidden = new LinkedHashSet<SessionId>();
        var changed = new LinkedHashSet<String>();
        for (var item : ready.get()) {
            upTo = item.entry().number();
            var session = item.entry().session();
            boolean isKnown = changed.contains(session.value());
            if (hidden.contains(session)) continue;
            if (!isKnown && !isVisible.test(session)) {
                hidden.add(session);
                continue;
            }
            changed.add(session.value());
            count++;
        }
        if (count == 0) return upTo;
        boolean many = changed.size() > ChangeCalls.SESSIONS_MAX;
        send(new Changed(upTo, count, many ? null : List.copyOf(changed), now()), out);
        return upTo;
    }

    private String now() {
        return Objects.requireNonNull(clock.instant()).toString();
    }

    private void send(Changed changed, OutputStream out) throws IOException {
        var id = Long.toString(changed.number());
        var frame = new SseFrame(id, "changed", Json.write(changed));
        write(frame.written().getBytes(StandardCharsets.UTF_8), out);
    }

    private void write(byte[] bytes, OutputStream out) throws IOException {
        out.write(bytes);
        out.flush();
        lastWrite = System.nanoTime();
    }
}
