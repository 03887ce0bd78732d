package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/** The memory of the bodies under way. */
class RequestMemoryTest {
    private static final Caller ADMIN = Caller.as(Role.ADMIN);
    private static final Caller AGENT = Caller.agent(new SessionId("a"));

    private static final long ROOM = 640;

    /** Ten for bytes as they were sent, and twenty for what is made of them. */
    private final RequestMemory memory = new RequestMemory(30, 0, RequestMemory.PATIENCE);

    @Test
    void what_no_room_could_hold_is_refused_at_once_with_its_size_and_the_limit() {
        try (var hold = memory.of(ADMIN, Need.NOTHING)) {
            assertThatThrownBy(() -> hold.made(11))
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            e ->
                                    assertThat(e.refusal())
                                            .isInstanceOfSatisfying(
                                                    RequestRefusal.TooLarge.class,
                                                    large -> {
                                                        assertThat(large.size()).isEqualTo(11);
                                                        assertThat(large.limit()).isEqualTo(10);
                                                    }));
        }
    }

    @Test
    void a_caller_waits_for_its_own_half_while_another_goes_on() throws Exception {
        var went = new AtomicBoolean();
        var first = memory.of(AGENT, Need.NOTHING);
        first.made(10);
        var second =
                Thread.ofPlatform()
                        .start(() -> {
                            try (var hold = memory.of(AGENT, Need.NOTHING)) {
                                hold.made(1);
                                went.set(true);
                            }
                        });
        Eventually.await(
                () -> second.getState() == Thread.State.TIMED_WAITING,
                () -> "the second request: " + second.getState());
        try (var other = memory.of(ADMIN, Need.NOTHING)) {
            other.made(9);
        }
        assertThat(went).isFalse();
        first.close();
        second.join();
        assertThat(went).isTrue();
    }

    /** Two agents that sent slowly held all room, so runners lost their leases. */
    @Test
    void a_small_body_of_a_runner_finds_room_when_all_others_have_taken_theirs() {
        var large = new RequestMemory(3 * ROOM, 0, RequestMemory.PATIENCE);
        try (var agent = large.of(AGENT, Need.NOTHING);
                var sender = large.of(Caller.as(Role.INGEST), Need.NOTHING);
                var person = large.of(ADMIN, Need.NOTHING);
                var beat = large.of(ADMIN, Need.RUN)) {
            agent.sent(ROOM / 2);
            sender.sent(ROOM / 4);
            person.sent(ROOM * 3 / 16);
            beat.sent(ROOM / 64);
        }
    }

    /** Waits without end if agents get the share of people. */
    @Test
    void a_person_finds_room_when_many_agents_have_taken_theirs() throws Exception {
        var large = new RequestMemory(3 * ROOM, 0, RequestMemory.PATIENCE);
        var first = large.of(AGENT, Need.NOTHING);
        first.sent(ROOM / 2);
        var second = large.of(Caller.agent(new SessionId("b")), Need.NOTHING);
        var waiting = Thread.ofPlatform().start(() -> second.sent(ROOM / 2));
        Eventually.await(
                () -> waiting.getState() == Thread.State.TIMED_WAITING,
                () -> "the second agent: " + waiting.getState());
        try (var person = large.of(ADMIN, Need.NOTHING)) {
            person.sent(ROOM / 4);
        }
        first.close();
        waiting.join();
        second.close();
    }

    @Test
    void each_value_of_json_is_counted_before_it_is_made() throws IOException {
        assertThat(values("[" + "[],".repeat(999) + "[]]")).isGreaterThan(1_900);
        assertThat(values("{\"a\":1,\"b\":[2,3]}")).isBetween(5L, 8L);
    }

    private static long values(String json) throws IOException {
        return Json.values(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }
}
