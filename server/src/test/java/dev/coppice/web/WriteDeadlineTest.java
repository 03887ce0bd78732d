package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.thread.Loops;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

class WriteDeadlineTest {
    /** A client that reads nothing until its connection is closed. */
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
    void a_client_that_reads_nothing_is_disconnected_and_others_are_not() throws Exception {
        var deadline = new WriteDeadline(Duration.ofMillis(60), new Loops());
        var unread = new Unread();
        var otherWasCut = new AtomicBoolean();
        deadline.start();
        try (var slow = deadline.on(unread, unread.closed::countDown);
                var quick =
                        deadline.on(OutputStream.nullOutputStream(), () -> otherWasCut.set(true))) {
            quick.write(1);
            assertThat(isRefused(slow)).as("cut off while it wrote").isTrue();
            // The time between two writes is not limited.
            quick.write(2);
            assertThat(otherWasCut).isFalse();
        } finally {
            deadline.close();
        }
    }

    /** The watch ended with the first connection that could not be closed. */
    @Test
    void an_error_while_a_connection_is_closed_does_not_end_the_watch() throws Exception {
        var loops = new Loops();
        var deadline = new WriteDeadline(Duration.ofMillis(60), loops);
        var first = new Unread();
        var second = new Unread();
        deadline.start();
        try (var broken =
                        deadline.on(
                                first,
                                () -> {
                                    first.closed.countDown();
                                    throw new StackOverflowError("planted");
                                });
                var slow = deadline.on(second, second.closed::countDown)) {
            assertThat(isRefused(broken)).isTrue();
            assertThat(isRefused(slow)).as("cut off while it wrote").isTrue();
            assertThat(loops.failures()).containsEntry("write-deadline", 1L);
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
