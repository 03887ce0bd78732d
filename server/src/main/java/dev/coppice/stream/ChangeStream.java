package dev.coppice.stream;

import dev.coppice.follow.Follower;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.event.ChangeCalls;
import dev.coppice.wire.event.ChangeCalls.Changed;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;

/**
 * Tells one reader which sessions have changed, but not how. A lost frame costs nothing, because
 * the reader reads again what it shows. Therefore a reader that was away gets one frame, and no
 * replay.
 */
final class ChangeStream {
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final byte[] BEAT = ": heartbeat\n\n".getBytes(StandardCharsets.UTF_8);

    private final Follower follower;
    private final InstantSource clock;
    private final OutputStream out;
    private long lastWrite = System.nanoTime();

    ChangeStream(Follower follower, InstantSource clock, OutputStream out) {
        this.follower = follower;
        this.clock = clock;
        this.out = out;
    }

    /** Follows until the reader, its token or the coordinator is gone. */
    void run(@Nullable Long after) throws IOException, InterruptedException {
        long head = follower.at();
        boolean missed = after != null && after != head;
        send(new Changed(head, missed ? null : 0L, missed ? null : List.of(), now()));
        while (true) {
            follower.await(HEARTBEAT);
            if (!follower.isOpen()) return;
            boolean isBehind = follower.isBehind();
            if (isBehind) tell();
            // Changes outside its scope also end the wait, and it still needs a heartbeat.
            if (System.nanoTime() - lastWrite >= HEARTBEAT.toNanos()) write(BEAT);
            // Changes during the pause go into the next frame.
            if (isBehind) follower.pause(PAUSE);
        }
    }

    /** Sends the sessions that have changed since the last frame. */
    private void tell() throws IOException {
        var ready = follower.skim();
        if (ready.isEmpty()) {
            send(new Changed(follower.at(), null, null, now()));
            return;
        }
        if (ready.get().isEmpty()) return;
        var changed = new LinkedHashSet<String>();
        for (var item : ready.get()) changed.add(item.entry().session().value());
        boolean many = changed.size() > ChangeCalls.SESSIONS_MAX;
        long count = ready.get().size();
        send(new Changed(follower.at(), count, many ? null : List.copyOf(changed), now()));
    }

    private String now() {
        return Objects.requireNonNull(clock.instant()).toString();
    }

    private void send(Changed changed) throws IOException {
        var id = Long.toString(changed.number());
        var frame = new SseFrame(id, "changed", Json.write(changed));
        write(frame.written().getBytes(StandardCharsets.UTF_8));
    }

    private void write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        lastWrite = System.nanoTime();
    }
}
