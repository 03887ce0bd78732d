package dev.coppice.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.store.SqlEventIndex;
import dev.coppice.store.Stores;
import dev.coppice.store.engine.Sqlite;
import dev.coppice.store.session.SqlWaves;
import dev.coppice.wire.event.EventCalls;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A reader that wants nothing of what is read for it, and may have hung up. */
class SessionStreamTest {
    private final AtomicLong nanos = new AtomicLong();

    private SessionStream stream(OutputStream out) {
        try (var opened = Stores.SQLITE.open(_ -> {})) {
            var knowing =
                    Wanted.Knowing.of(
                            opened.store().transactions(),
                            new SqlEventIndex(new Sqlite()),
                            new SqlWaves());
            var nothing = new EventCalls.Kinds(null, null, null, null);
            return new SessionStream(new Wanted(knowing, nothing), out, nanos::get);
        }
    }

    @Test
    void a_reader_that_gets_nothing_is_asked_whether_it_is_there() {
        var sent = new ByteArrayOutputStream();
        var stream = stream(sent);
        assertThat(stream.isThere()).isTrue();
        assertThat(sent.size()).isZero();
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(stream.isThere()).isTrue();
        assertThat(sent.toString(StandardCharsets.UTF_8)).isEqualTo(": heartbeat\n\n");
    }

    @Test
    void nothing_is_read_for_a_reader_that_has_hung_up() {
        var gone =
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                };
        var stream = stream(gone);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(stream.isThere()).isFalse();
    }
}
