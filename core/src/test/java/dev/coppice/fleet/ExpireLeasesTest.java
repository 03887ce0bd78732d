package dev.coppice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Outcome;
import dev.coppice.run.RunState;
import dev.coppice.scene.Scene;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/** Leases that expire while the writer is busy. */
class ExpireLeasesTest {
    private final Scene scene = new Scene();
    private final ClaimRun.Claim claim = begun();

    private ClaimRun.Claim begun() {
        scene.run(Scene.named("plan"));
        return scene.begun(scene.runner("r", 1));
    }

    private boolean isLive() {
        return !(scene.look(claim.run().id()).state() instanceof RunState.Ended);
    }

    private Duration untilTheLeaseEnds() {
        var lease = scene.look(claim.run().id()).state().held();
        assertThat(lease).isNotNull();
        return lease == null
                ? Duration.ZERO
                : Duration.between(scene.clock.instant(), lease.until());
    }

    /** A write of 31 seconds let the sweep run before the renewals that had queued behind it. */
    @Test
    void a_sweep_that_waited_long_for_the_writer_extends_every_lease() {
        var asked = scene.clock.instant();
        scene.store.beforeNextWrite(() -> scene.clock.pass(Duration.ofMinutes(2)));
        assertThat(scene.rules.expireLeases.sweep(asked)).isEmpty();
        assertThat(isLive()).isTrue();
        var held = Map.of(claim.run().id(), claim.lease().holder().fence());
        var renewed = Scene.done(scene.renew(claim.lease().holder().runner(), held));
        assertThat(renewed.lost()).isEmpty();
    }

    /** The runner was told that it had lost the run, and ended a healthy agent. */
    @Test
    void a_renewal_that_waits_for_the_writer_beyond_its_lease_counts() {
        scene.clock.pass(untilTheLeaseEnds().minusSeconds(1));
        scene.store.beforeNextWrite(() -> scene.clock.pass(Duration.ofSeconds(31)));
        var held = Map.of(claim.run().id(), claim.lease().holder().fence());
        var renewed = Scene.done(scene.renew(claim.lease().holder().runner(), held));
        assertThat(renewed.lost()).isEmpty();
        assertThat(untilTheLeaseEnds()).isPositive();
    }

    @Test
    void a_result_that_waits_for_the_writer_beyond_its_lease_counts() {
        scene.clock.pass(untilTheLeaseEnds().minusSeconds(1));
        scene.store.beforeNextWrite(() -> scene.clock.pass(Duration.ofSeconds(31)));
        var by = claim.lease().holder();
        assertThat(scene.rules.report.failed(claim.run().id(), by, "broke"))
                .isInstanceOf(Outcome.Done.class);
        assertThat(scene.look(claim.run().id()).state()).isInstanceOf(RunState.Failed.class);
    }

    @Test
    void a_lease_that_ends_while_the_sweep_waits_is_left_to_the_next_sweep() {
        scene.clock.pass(untilTheLeaseEnds().minusSeconds(1));
        var asked = scene.clock.instant();
        scene.store.beforeNextWrite(() -> scene.clock.pass(Duration.ofSeconds(3)));
        assertThat(scene.rules.expireLeases.sweep(asked)).hasValue(0);
        assertThat(isLive()).isTrue();
        assertThat(scene.rules.expireLeases.sweep(scene.clock.instant())).hasValue(1);
        assertThat(isLive()).isFalse();
    }
}
