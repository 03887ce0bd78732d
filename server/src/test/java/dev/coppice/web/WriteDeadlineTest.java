package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

class WriteDeadlineTest {
    /** A reader that takes nothing before its connection is closed. */
    private static final class Unread extends OutputStream {
        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public void write(int one) throws IOException {
            try {
                if (!closed.await(10, TimeUnit.SECONDS)) return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("the connection was closed");
        }
    }

    @Test
    void who_takes_nothing_is_hung_up_on_and_others_are_not() throws Exception {
        var deadline = new WriteDeadline(Duration.ofMillis(60));
        var unread = new Unread();
        var otherWasCut = new AtomicBoolean();
        deadline.start();
        try (var slow = deadline.on(unread, unread.closed::countDown);
                var quick =
                        deadline.on(OutputStream.nullOutputStream(), () -> otherWasCut.set(true))) {
            quick.write(1);
            assertThat(isRefused(slow)).as("cut off while it wrote").isTrue();
            // Between two writes it may take as long as it likes.
            quick.write(2);
            assertThat(otherWasCut).isFalse();
        } finally {
            deadline.close();
        }
    }

    private static boolean isRefused(OutputStream out) {
        try {
            out.write(1);
            return false;
        } catch (IOException _) {
            return true;
        }
    }
}
