package dev.coppice.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

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
}
