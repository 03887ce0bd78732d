package dev.coppice.mcp.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The life of a client's session: it ends when nobody has used it for long. */
class ClientSessionsTest {
    private static final Caller OPERATOR = Caller.as(Role.OPERATOR);

    private final AtomicLong now = new AtomicLong();
    private final ClientSessions sessions = new ClientSessions(now::get);

    private ClientSession begun() {
        return sessions.begin(OPERATOR, Versions.LAST_OF_SESSIONS, Abilities.NONE);
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void a_session_lives_while_it_is_used() throws BrokenCall {
        var id = begun().id();
        for (int i = 0; i < 10; i++) {
            pass(Duration.ofMinutes(29));
            sessions.sweep();
            assertThat(sessions.find(id, OPERATOR).id()).isEqualTo(id);
        }
        pass(Duration.ofMinutes(31));
        assertThatThrownBy(() -> sessions.find(id, OPERATOR)).isInstanceOf(BrokenCall.class);
    }

    @Test
    void a_sweep_ends_what_a_session_watches() throws BrokenCall {
        var session = begun();
        var ended = new AtomicBoolean();
        session.watch("coppice://sessions/x", () -> ended.set(true));
        pass(Duration.ofMinutes(31));
        sessions.sweep();
        assertThat(ended).isTrue();
        // A watch that is registered after the end is ended at once.
        var late = new AtomicBoolean();
        assertThatThrownBy(() -> session.watch("coppice://sessions/y", () -> late.set(true)))
                .isInstanceOf(BrokenCall.class);
        assertThat(late).isTrue();
    }

    /** A reader that has left must not keep a session alive. */
    @Test
    void a_stream_keeps_its_session_only_while_it_is_read()
            throws IOException, InterruptedException {
        var session = begun();
        var isReading = new AtomicBoolean();
        session.own()
                .into(
                        new ByteArrayOutputStream(),
                        Outbox.WHERE_IT_WAS,
                        () -> {
                            isReading.set(!session.isIdle());
                            return false;
                        });
        assertThat(isReading).isTrue();
        assertThat(session.isIdle()).isTrue();
        pass(Duration.ofMinutes(31));
        sessions.sweep();
        assertThatThrownBy(() -> sessions.find(session.id(), OPERATOR))
                .isInstanceOf(BrokenCall.class);
    }
}
