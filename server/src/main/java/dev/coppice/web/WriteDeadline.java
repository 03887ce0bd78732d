package dev.coppice.web;

import dev.coppice.thread.Loops;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Closes the connection of a reader that takes too long for one write. The connection's own
 * time-out only notices a reader that takes nothing at all; a reader of one byte at a time would
 * keep the write in memory for ever.
 */
final class WriteDeadline {
    private static final int LOOKS = 12;
    private final Duration max;
    private final Loops loops;
    private final Set<Watched> writing = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);

    WriteDeadline(Duration max, Loops loops) {
        this.max = max;
        this.loops = loops;
    }

    void start() {
        loops.start("write-deadline", () -> closed.getCount() > 0, this::watch);
    }

    void close() {
        closed.countDown();
    }

    private void watch() throws InterruptedException {
        if (!closed.await(max.toMillis() / LOOKS, TimeUnit.MILLISECONDS)) look();
    }

    OutputStream on(OutputStream out, Runnable hangUp) {
        return new Watched(out, hangUp);
    }

    private void look() {
        for (var one : List.copyOf(writing)) {
            boolean isLate = System.nanoTime() - one.since > max.toNanos();
            // Remove it first: if closing fails, the next look must reach the others.
            if (isLate && writing.remove(one)) one.hangUp.run();
        }
    }

    private final class Watched extends FilterOutputStream {
        private final Runnable hangUp;
        private volatile long since;

        Watched(OutputStream out, Runnable hangUp) {
            super(out);
            this.hangUp = hangUp;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            begin();
            try {
                out.write(bytes, from, length);
            } finally {
                writing.remove(this);
            }
        }

        @Override
        public void flush() throws IOException {
            begin();
            try {
                super.flush();
            } finally {
                writing.remove(this);
            }
        }

        private void begin() {
            since = System.nanoTime();
            writing.add(this);
        }
    }
}
