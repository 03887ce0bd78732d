package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class NearTest {
    @Test
    void the_nearest_words_come_first_and_three_at_most() {
        var known = List.of("planned", "plans", "plan", "planner", "other", "plan");
        assertThat(Near.offer("plan", known))
                .isEqualTo("Did you mean 'plan' or 'plans' or 'planned'?");
    }

    @Test
    void nothing_is_offered_if_nothing_is_near() {
        assertThat(Near.offer("xyz", List.of("plan", "draft"))).isEmpty();
    }

    /** Names of sessions of older coordinators may hold anything. */
    @Test
    void an_offer_does_not_control_the_terminal() {
        assertThat(Near.offer("plan", List.of("plan\u001b[2J"))).doesNotContain("\u001b");
    }
}
