package dev.coppice.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

/** The number of records that one caller adds to the audit in an hour. */
class HourlyLimitTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Act.Who AGENT = new Act.Who("agent:a", "agent");
    private final HourlyLimit limit = HourlyLimit.ofAgents(3);

    private long counted(Act.Who who, Instant at) {
        long counted = 0;
        for (int i = 0; i < 10; i++) if (limit.tryCount(who, at)) counted++;
        return counted;
    }

    @Test
    void each_agent_adds_so_many_records_in_an_hour_and_as_many_in_the_next() {
        assertThat(counted(AGENT, NOON)).isEqualTo(3);
        assertThat(counted(new Act.Who("agent:b", "agent"), NOON)).isEqualTo(3);
        assertThat(counted(AGENT, NOON.plus(Duration.ofMinutes(59)))).isZero();
        assertThat(counted(AGENT, NOON.plus(Duration.ofMinutes(61)))).isEqualTo(3);
    }

    @Test
    void records_of_people_are_not_limited() {
        assertThat(counted(new Act.Who("OPERATOR", "operator"), NOON)).isEqualTo(10);
        assertThat(HourlyLimit.ofAllButAdmin(0).tryCount(new Act.Who("x", "admin"), NOON)).isTrue();
    }

    /** The counts of 1,000 callers were kept, so the agents of a larger tree had no limit. */
    @Test
    void many_agents_that_take_turns_do_not_reset_their_counts() {
        var agents =
                IntStream.range(0, 5_000)
                        .mapToObj(i -> new Act.Who("agent:" + i, "agent"))
                        .toList();
        for (var agent : agents) assertThat(counted(agent, NOON)).isEqualTo(3);
        for (var agent : agents) assertThat(counted(agent, NOON)).isZero();
    }

    @Test
    void agents_above_the_number_that_is_counted_share_one_count_until_an_hour_is_over() {
        var before = NOON.minus(Duration.ofMinutes(1));
        for (int i = 0; i < HourlyLimit.CALLERS_MAX; i++) {
            limit.tryCount(new Act.Who("agent:" + i, "agent"), i < 2 ? before : NOON);
        }
        var one = new Act.Who("agent:one", "agent");
        var other = new Act.Who("agent:other", "agent");
        assertThat(counted(one, NOON) + counted(other, NOON)).isEqualTo(3);
        var first = before.plus(Duration.ofHours(1)).plusMillis(1);
        assertThat(counted(one, first)).isEqualTo(3);
        assertThat(counted(other, first)).isZero();
    }
}
