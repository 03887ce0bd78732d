package dev.coppice.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.fleet.Runner;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.run.RunState;
import dev.coppice.scene.Clock;
import dev.coppice.store.Given;
import dev.coppice.store.Stores;
import dev.coppice.wiring.Rules;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The expiry of leases after the clock was set back, and after the machine slept. */
class AbsencesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RunId RUN = new RunId("run_1");
    private final Stores.Opened opened = Stores.SQLITE.open(_ -> {});
    private final Clock clock = new Clock();
    private final AtomicLong nanos = new AtomicLong();
    private final Rules rules = Given.rules(opened.store(), clock);
    private final Absences absences = absences();

    AbsencesTest() {
        var plan = Given.root("plan");
        var until = clock.instant().plusSeconds(30);
        var held = new RunState.Running(Given.lease("r", 1, until), clock.instant());
        opened.store()
                .transactions()
                .write(() -> {
                    opened.store().sessions().add(plan);
                    opened.store().runners().save(Given.runner("r").seenAt(clock.instant()));
                    opened.store().runs().add(Given.run(RUN.value(), plan));
                    var run = opened.store().runs().find(RUN).orElseThrow();
                    opened.store().runs().save(Given.in(run, held));
                    return 0;
                });
        absences.begin(rules);
    }

    @AfterEach
    void close() {
        opened.close();
    }

    private Absences absences() {
        return new Absences(opened.store().transactions(), clock, nanos::get);
    }

    /** Time passes, and the sweeps run, as in every second. */
    private int passes(Absences coordinator, int seconds) {
        int lost = 0;
        for (int i = 0; i < seconds; i++) {
            clock.pass(SECOND);
            nanos.addAndGet(SECOND.toNanos());
            lost += coordinator.expireLeases(rules);
        }
        return lost;
    }

    @Test
    void a_dead_runner_loses_its_run_after_the_clock_was_set_back() {
        passes(absences, 10);
        clock.pass(Duration.ofDays(-1));
        assertThat(passes(absences, 29)).as("the lease has its full length again").isZero();
        assertThat(passes(absences, 5)).isEqualTo(1);
    }

    @Test
    void a_dead_runner_loses_its_run_after_the_clock_was_set_back_before_a_start() {
        clock.pass(Duration.ofDays(-1));
        var next = absences();
        next.begin(rules);
        assertThat(passes(next, 29)).isZero();
        assertThat(passes(next, 5)).isEqualTo(1);
        assertThat(seen()).isEqualTo(runner().seen());
    }

    private java.time.Instant seen() {
        return clock.instant().minusSeconds(34);
    }

    private Runner runner() {
        var runners = opened.store().runners();
        return opened.store()
                .transactions()
                .read(() -> runners.find(new RunnerId("r")).orElseThrow());
    }

    /** The sweep that expires leases may come last after a sleep. */
    @Test
    void a_sleep_ends_the_trust_in_silence_before_any_sweep_has_noticed_it() {
        passes(absences, 3);
        var before = absences.awakeSince();
        clock.pass(Duration.ofMinutes(20));
        assertThat(before).isBefore(clock.instant().minus(Duration.ofMinutes(20)));
        assertThat(absences.awakeSince()).isEqualTo(clock.instant());
        passes(absences, 1);
        var woken = absences.awakeSince();
        passes(absences, 20);
        assertThat(absences.awakeSince()).isEqualTo(woken);
    }
}
