package dev.coppice.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.RequestRefusal.BudgetSpent;
import dev.coppice.kernel.RequestRefusal.FieldUnknown;
import dev.coppice.kernel.RequestRefusal.LimitReached;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Names are in quotes, and numbers have units. */
class RequestRefusalTest {
    private static String spent(String kind, long max, long spent) {
        return new BudgetSpent(kind, max, spent, new SessionId("plan")).said();
    }

    @Test
    void a_spent_budget_names_dollars_seconds_and_counts() {
        assertThat(spent("cost_micros", 5_000_000, 5_012_500))
                .isEqualTo("The budget of session 'plan' is spent: 5.0125 of 5.00 dollars used");
        assertThat(spent("wall_millis", 60_000, 61_500)).endsWith("61.5 of 60 seconds used");
        assertThat(spent("tokens", 100, 100)).endsWith("100 of 100 tokens used");
    }

    @Test
    void a_reached_limit_names_what_it_counts() {
        assertThat(new LimitReached("children", 1, 2, LimitReached.COORDINATOR).said())
                .isEqualTo(
                        "The limit 'children' of 1 live child, set by the coordinator, would be"
                                + " exceeded: there would be 2 live children");
        assertThat(new LimitReached("runs", 1, 2, "session 'a' ('a')").said())
                .contains("of 1 run, set by session 'a' ('a')", "2 runs");
        assertThat(new LimitReached("event_bytes", 120, 150, LimitReached.COORDINATOR).said())
                .contains("of 120 bytes", "150 bytes");
    }

    @Test
    void an_unknown_field_is_quoted_as_are_those_that_can_stand_in_its_place() {
        assertThat(new FieldUnknown("comand", List.of("command", "name")).said())
                .isEqualTo("Unknown field 'comand'; the fields are 'command', 'name'");
        assertThat(new FieldUnknown("comand", List.of()).said())
                .isEqualTo("Unknown field 'comand'; this request has no fields");
    }
}
