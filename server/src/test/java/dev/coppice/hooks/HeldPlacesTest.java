package dev.coppice.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.ask.Ask;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** Places of questions for which a hook waits. */
class HeldPlacesTest {
    private static final int OF_CALLER_MAX = 250;

    private final HeldPlaces places = new HeldPlaces(_ -> true);

    /** After 250 of them on a full disk, every question of the token was denied until a restart. */
    @Test
    void a_question_that_cannot_be_written_leaves_its_place() {
        for (int i = 0; i <= OF_CALLER_MAX; i++) {
            var place = places.take("INGEST:t").orElseThrow();
            assertThatThrownBy(() -> places.ask(place, HeldPlacesTest::full))
                    .isInstanceOf(IllegalStateException.class);
        }
        for (int i = 0; i <= OF_CALLER_MAX; i++) {
            var place = places.take("INGEST:t").orElseThrow();
            assertThat(places.ask(place, Optional::empty)).isEmpty();
        }
    }

    private static Optional<Ask> full() {
        throw new IllegalStateException("the disk is full");
    }
}
