package dev.coppice.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;

/** Nothing but its owner ends a loop. */
class LoopsTest {
    private final Loops loops = new Loops();
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final AtomicInteger rounds = new AtomicInteger();

    /** The permits of the rounds, so that a loop is as quick as its test. */
    private final Semaphore work = new Semaphore(0);

    @AfterEach
    void end() {
        open.set(false);
        work.release();
    }

    private void awaitRounds(int count) {
        Eventually.await(() -> rounds.get() >= count, () -> rounds + " rounds");
    }

    private long failures(String name) {
        return Objects.requireNonNull(loops.failures().get(name));
    }

    private Thread loop(String name, Round then) {
        return loops.start(
                name,
                open::get,
                () -> {
                    work.acquire();
                    rounds.incrementAndGet();
                    then.run();
                });
    }

    @Test
    void a_round_that_throws_an_error_does_not_end_the_loop() {
        loop(
                "stumbling",
                () -> {
                    if (rounds.get() == 1) throw new StackOverflowError("planted");
                });
        work.release(2);
        awaitRounds(2);
        assertThat(failures("stumbling")).isEqualTo(1);
    }

    @Test
    void a_round_that_returns_does_not_end_the_loop() {
        loop("returning", () -> {});
        work.release(3);
        awaitRounds(3);
        assertThat(failures("returning")).isZero();
    }

    @Test
    void a_loop_that_fails_in_every_round_is_counted_each_time_and_logged_once_with_its_cause() {
        try (var log = new LogLines()) {
            loop(
                    "hopeless",
                    () -> {
                        throw new IllegalStateException("planted");
                    });
            work.release(5);
            Eventually.await(() -> failures("hopeless") == 5, () -> "" + loops.failures());
            assertThat(log.about("\"hopeless\""))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.getLevel()).isEqualTo(Level.WARNING);
                        assertThat(line.getThrown()).hasMessage("planted");
                    });
        }
    }

    @Test
    void an_interrupt_of_a_loop_that_goes_on_is_an_alarm_and_does_not_end_it() {
        try (var log = new LogLines()) {
            var thread = loop("interrupted", () -> {});
            thread.interrupt();
            Eventually.await(() -> failures("interrupted") == 1, () -> "" + loops.failures());
            work.release();
            awaitRounds(1);
            assertThat(log.about("\"interrupted\""))
                    .singleElement()
                    .satisfies(line -> assertThat(line.getLevel()).isEqualTo(Level.SEVERE));
        }
    }

    @Test
    void a_loop_ends_with_its_owner_and_an_interrupt_then_is_no_failure() throws Exception {
        var thread = loop("ended", () -> {});
        work.release();
        awaitRounds(1);
        open.set(false);
        thread.interrupt();
        assertThat(thread.join(Eventually.PATIENCE)).isTrue();
        assertThat(failures("ended")).isZero();
    }

    @Test
    void a_loop_that_pauses_after_failures_ends_with_its_owner() throws Exception {
        var thread =
                loops.start(
                        "pausing",
                        open::get,
                        () -> {
                            throw new IllegalStateException("planted");
                        });
        Eventually.await(() -> failures("pausing") > 0, () -> "" + loops.failures());
        open.set(false);
        assertThat(thread.join(Eventually.PATIENCE)).isTrue();
    }

    @Test
    void a_thread_that_dies_is_logged_with_its_name_and_the_cause() throws Exception {
        try (var log = new LogLines()) {
            var thread =
                    Threads.virtual("mortal")
                            .start(() -> {
                                throw new IllegalStateException("planted");
                            });
            assertThat(thread.join(Eventually.PATIENCE)).isTrue();
            assertThat(log.about("\"mortal\""))
                    .singleElement()
                    .satisfies(line -> assertThat(line.getThrown()).hasMessage("planted"));
        }
    }
}
