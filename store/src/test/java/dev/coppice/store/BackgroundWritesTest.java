package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Housework with others at the door. How much it costs them is measured in bench/. */
class BackgroundWritesTest {
    private static final long PIECE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private static boolean work() {
        long until = System.nanoTime() + PIECE_NANOS;
        while (System.nanoTime() < until) Thread.onSpinWait();
        return true;
    }

    @Test
    void others_have_the_writer_for_nine_times_as_long_as_a_piece_took() {
        var courtesy = new BackgroundWrites();
        var ended = new AtomicLong();
        assertThat(
                        courtesy.<Boolean>inTurn(() -> {
                            courtesy.someoneElse();
                            work();
                            ended.set(System.nanoTime());
                            return true;
                        }))
                .isTrue();
        var began = new AtomicLong();
        courtesy.inTurn(() -> {
            began.set(System.nanoTime());
            return true;
        });
        assertThat(began.get() - ended.get()).isGreaterThanOrEqualTo(9 * PIECE_NANOS);
    }

    /** Else this would take a fifth of a second for each of ten thousand. */
    @Test
    void where_nobody_else_writes_or_it_is_over_nothing_waits() throws Exception {
        var courtesy = new BackgroundWrites();
        courtesy.someoneElse();
        courtesy.inTurn(BackgroundWritesTest::work);
        var done = new CountDownLatch(1);
        var housework =
                Thread.ofVirtual()
                        .start(() -> {
                            for (int i = 0; i < 10_000; i++) courtesy.inTurn(() -> true);
                            courtesy.close();
                            for (int i = 0; i < 10_000; i++) {
                                courtesy.someoneElse();
                                courtesy.inTurn(() -> true);
                            }
                            done.countDown();
                        });
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        housework.join();
    }

    @Test
    void a_piece_that_fails_fails_alone() {
        var courtesy = new BackgroundWrites();
        assertThatThrownBy(() ->
                        courtesy.inTurn(() -> {
                            throw new IllegalArgumentException("no");
                        }))
                .hasMessage("no");
        assertThat(courtesy.<Boolean>inTurn(() -> true)).isTrue();
    }
}
