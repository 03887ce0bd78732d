package dev.coppice.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Background writes beside foreground writes. The benchmarks in bench/ measure the cost for the
 * foreground.
 */
class BackgroundWritesTest {
    private static final long WRITE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private static boolean work() {
        long until = System.nanoTime() + WRITE_NANOS;
        while (System.nanoTime() < until) Thread.onSpinWait();
        return true;
    }

    @Test
    void a_background_write_waits_nine_times_as_long_as_the_previous_one_took() {
        var writes = new BackgroundWrites();
        var ended = new AtomicLong();
        assertThat(
                        writes.<Boolean>yieldAndRun(() -> {
                            writes.countForegroundWrite();
                            work();
                            ended.set(System.nanoTime());
                            return true;
                        }))
                .isTrue();
        var began = new AtomicLong();
        writes.yieldAndRun(() -> {
            began.set(System.nanoTime());
            return true;
        });
        assertThat(began.get() - ended.get()).isGreaterThanOrEqualTo(9 * WRITE_NANOS);
    }

    /** With a pause each, ten thousand writes would take minutes. */
    @Test
    void nothing_waits_without_foreground_writes_or_after_close() throws Exception {
        var writes = new BackgroundWrites();
        writes.countForegroundWrite();
        writes.yieldAndRun(BackgroundWritesTest::work);
        var done = new CountDownLatch(1);
        var background =
                Thread.ofVirtual()
                        .start(() -> {
                            for (int i = 0; i < 10_000; i++) writes.yieldAndRun(() -> true);
                            writes.close();
                            for (int i = 0; i < 10_000; i++) {
                                writes.countForegroundWrite();
                                writes.yieldAndRun(() -> true);
                            }
                            done.countDown();
                        });
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        background.join();
    }

    @Test
    void a_failed_write_does_not_affect_the_next() {
        var writes = new BackgroundWrites();
        assertThatThrownBy(() ->
                        writes.yieldAndRun(() -> {
                            throw new IllegalArgumentException("no");
                        }))
                .hasMessage("no");
        assertThat(writes.<Boolean>yieldAndRun(() -> true)).isTrue();
    }
}
