package dev.coppice.wire.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.util.stream.Stream;

class BookkeepingTest {
    private static EventView event(String session, String type, String more) {
        return Json.as(
                """
                {"id":1,"session_id":"%s","run_id":null,"event_type":"%s","timestamp":"t"%s}
                """
                        .formatted(session, type, more),
                EventView.class);
    }

    @Test
    void what_was_said_and_done_is_shown_once() {
        var reader = new Bookkeeping();
        var shown =
                Stream.of(
                                event("a", "run_start", ""),
                                event("a", "message", ",\"content\":[{\"text\":\"done \"}]"),
                                event("b", "result", ",\"result_text\":\"done\""),
                                event("a", "result", ",\"result_text\":\"done\""),
                                event("a", "result", ",\"result_text\":{\"odd\":1}"),
                                event("a", "callback_owed", ""),
                                event("a", "run_failed", ""),
                                event("a", "message", ",\"content\":7"))
                        .filter(event -> !reader.hides(event))
                        .map(event -> event.sessionId() + " " + event.eventType());
        assertThat(shown)
                .containsExactly("a message", "b result", "a result", "a run_failed", "a message");
    }
}
