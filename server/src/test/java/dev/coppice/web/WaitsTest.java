package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Caller;
import dev.coppice.kernel.SessionId;
import dev.coppice.request.Wait;
import dev.coppice.scene.Eventually;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Many waits of one caller. */
class WaitsTest {
    private static final int AWAKE = 64;
    private static final int MORE = 36;

    private final Waits waits = new Waits();
    private final AtomicInteger awake = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final CountDownLatch changed = new CountDownLatch(1);

    /** Is woken by one change, or looks once and finds nothing. */
    private final class Woken implements Wait {
        @Override
        public @Nullable Object within(Duration time) throws InterruptedException {
            if (time.isZero()) {
                looks.incrementAndGet();
                return null;
            }
            awake.incrementAndGet();
            changed.await();
            return "over";
        }

        @Override
        public Duration silenceMax() {
            return Duration.ofMillis(500);
        }
    }

    private boolean isOver(Caller caller) throws InterruptedException {
        return waits.within(caller, new Woken()) != null;
    }

    /** A thousand of them made each change of a session a thousand reads. */
    @Test
    void one_change_wakes_few_of_them_and_the_others_look_by_themselves() throws Exception {
        var agent = Caller.agent(new SessionId("a"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> asked = new ArrayList<>();
            try {
                for (int i = 0; i < AWAKE + MORE; i++) {
                    asked.add(threads.submit(() -> isOver(agent)));
                }
                Eventually.await(() -> looks.get() == MORE, () -> looks + " looks");
                assertThat(awake).hasValue(AWAKE);
                var other = Caller.agent(new SessionId("b"));
                asked.add(threads.submit(() -> isOver(other)));
                Eventually.await(() -> awake.get() == AWAKE + 1, () -> awake + " are awake");
            } finally {
                changed.countDown();
            }
            int over = 0;
            for (var one : asked) if (one.get()) over++;
            assertThat(over).isEqualTo(AWAKE + 1);
        }
    }
}
