package dev.coppice.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.OnBehalf;
import dev.coppice.scene.Eventually;
import dev.coppice.store.Stores;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(60)
class ReadTurnsTest {
    private static final int READS = 40;

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void one_callers_slow_reads_leave_the_others_a_connection(Stores kind) throws Exception {
        try (var opened = kind.open(_ -> {})) {
            var database = opened.store().transactions();
            var done = new CountDownLatch(1);
            var started = new AtomicInteger();
            var reads = new ArrayList<Thread>();
            for (int i = 0; i < READS; i++) {
                Runnable read =
                        () ->
                                OnBehalf.run(
                                        "agent:a",
                                        () ->
                                                database.read(() -> {
                                                    started.incrementAndGet();
                                                    awaitQuietly(done);
                                                    return true;
                                                }));
                reads.add(Thread.ofVirtual().start(read));
            }
            Eventually.await(() -> started.get() > 0, () -> "no read has started");
            int other = OnBehalf.of("agent:b", () -> database.read(() -> 7));
            assertThat(other).isEqualTo(7);
            int own = database.read(() -> 8);
            assertThat(own).isEqualTo(8);
            assertThat(started.get()).isLessThan(READS);
            done.countDown();
            for (var read : reads) read.join();
            assertThat(started.get()).isEqualTo(READS);
        }
    }

    private static void awaitQuietly(CountDownLatch done) {
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
