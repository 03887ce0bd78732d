package dev.coppice.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Topic;
import dev.coppice.request.TopicNotifier;
import dev.coppice.scene.Eventually;
import dev.coppice.thread.Loops;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** Nothing but the end of the coordinator ends a sweep. */
class SweepsTest {
    private final TopicNotifier notifier = new TopicNotifier();
    private final Loops loops = new Loops();
    private final AtomicInteger rounds = new AtomicInteger();

    @AfterEach
    void end() {
        notifier.close();
    }

    private void start(Duration every, IntSupplier work) {
        var sweep = new Sweeps.Sweep("planted", every, new Topic.WaveDue(), work);
        new Sweeps(List.of(sweep), notifier, loops).start();
    }

    private void awaitRounds(int count) {
        Eventually.await(() -> rounds.get() >= count, () -> rounds + " rounds");
    }

    /** An error ended the thread of a sweep, and the coordinator went on without that sweep. */
    @Test
    void an_error_of_a_sweep_does_not_end_it_and_is_counted() {
        start(
                Duration.ofMillis(1),
                () -> {
                    if (rounds.incrementAndGet() == 1) throw new StackOverflowError("planted");
                    return 0;
                });
        awaitRounds(3);
        assertThat(loops.failures()).containsEntry("sweep-planted", 1L);
    }

    @Test
    void a_signal_that_comes_while_a_sweep_fails_starts_it_again() {
        start(
                Duration.ofHours(1),
                () -> {
                    if (rounds.incrementAndGet() > 1) return 0;
                    notifier.accept(new Topic.WaveDue());
                    throw new IllegalStateException("planted");
                });
        notifier.accept(new Topic.WaveDue());
        awaitRounds(2);
    }
}
