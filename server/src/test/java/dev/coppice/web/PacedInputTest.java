package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.kernel.Rejected;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A body that comes too slowly is refused. */
class PacedInputTest {
    private static final int SECONDS = 100;
    private static final int RATE_MIN = PacedInput.BYTES_A_SECOND_MIN;

    private final AtomicLong nanos = new AtomicLong();
    private int bytesASecond = RATE_MIN;

    /** A body without an end. */
    private final PacedInput body =
            new PacedInput(
                    new InputStream() {
                        @Override
                        public int read() {
                            throw new AssertionError("not in pieces");
                        }

                        @Override
                        public int read(byte[] into, int from, int most) {
                            int n = Math.min(most, bytesASecond);
                            nanos.addAndGet(n * Duration.ofSeconds(1).toNanos() / bytesASecond);
                            return n;
                        }
                    },
                    nanos::get);

    private long seconds() {
        return Duration.ofNanos(nanos.get()).toSeconds();
    }

    @Test
    void a_body_of_a_byte_now_and_then_is_refused_after_the_grace() {
        bytesASecond = 1;
        assertThatThrownBy(() -> body.readNBytes(SECONDS))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        e ->
                                assertThat(e.refusal().said())
                                        .contains("'16 bytes in 16 s'", "32768 bytes a second"));
        assertThat(seconds()).isEqualTo(PacedInput.GRACE.toSeconds() + 1);
    }

    @Test
    void a_body_that_keeps_the_least_rate_is_read_however_large_it_is() throws IOException {
        assertThat(body.readNBytes(RATE_MIN * SECONDS)).hasSize(RATE_MIN * SECONDS);
        assertThat(seconds()).isEqualTo(SECONDS);
    }

    @Test
    void a_fast_beginning_earns_no_more_time_than_its_bytes() throws IOException {
        body.skipNBytes(10L * RATE_MIN);
        bytesASecond = 1;
        assertThatThrownBy(() -> body.readNBytes(SECONDS)).isInstanceOf(Rejected.class);
        assertThat(seconds()).isEqualTo(10 + PacedInput.GRACE.toSeconds() + 1);
    }

    @Test
    void a_body_that_waited_for_room_before_it_was_read_is_not_slow() throws IOException {
        nanos.addAndGet(RequestLimit.PATIENCE.toNanos());
        assertThat(body.readNBytes(RATE_MIN)).hasSize(RATE_MIN);
        nanos.addAndGet(RequestLimit.PATIENCE.toNanos());
        assertThat(body.readNBytes(RATE_MIN)).hasSize(RATE_MIN);
    }

    @Test
    void the_rest_of_a_refused_body_must_keep_the_least_rate_too() {
        bytesASecond = 1;
        assertThatThrownBy(() -> body.skipNBytes(SECONDS)).isInstanceOf(Rejected.class);
    }
}
