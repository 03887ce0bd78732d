package dev.coppice.run;

import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.fleet.ClaimRun.Claim;
import dev.coppice.fleet.RenewLeases;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Scene;
import dev.coppice.session.SessionState;
import dev.coppice.stop.FreezeTree;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/** Timeouts of silent runs and old sessions, and accounts on hold after a rate limit. */
class PatienceTest {
    private static final Task.Terms SILENT =
            new Task.Terms(Duration.ofSeconds(60), null, null, Task.Hooks.NONE);
    private static final Task.Terms ACCOUNT = new Task.Terms(null, null, "team", Task.Hooks.NONE);
    private final Scene scene = new Scene();
    private final RunnerId runner = scene.runner("r1", 8);

    private Claim begun() {
        return scene.begun(runner);
    }

    private Claim begun(String name, Task.Terms terms) {
        done(scene.run(named(name), terms));
        return begun();
    }

    /** Lets time pass while the runner renews its lease. */
    private void pass(Claim claim, int seconds) {
        for (int i = 0; i < seconds / 20; i++) {
            scene.clock.pass(Duration.ofSeconds(20));
            scene.renew(runner, Map.of(claim.run().id(), claim.lease().holder().fence()));
            scene.sweep();
        }
    }

    @Test
    void an_agent_without_events_for_too_long_is_timed_out() {
        var claim = begun("quiet", SILENT);
        pass(claim, 60);
        assertThat(scene.look("quiet").state()).isInstanceOf(SessionState.Running.class);
        pass(claim, 20);
        assertThat(scene.look("quiet").state()).isInstanceOf(SessionState.TimedOut.class);
    }

    @Test
    void an_agent_that_reports_events_is_not_silent() {
        var claim = begun("chatty", SILENT);
        var reports = new ReportEvent(scene.rules.ports);
        for (int i = 0; i < 5; i++) {
            pass(claim, 40);
            scene.store.write(() -> {
                var id = new SessionId("chatty");
                reports.report(id, "message", JsonText.EMPTY_OBJECT, null);
                return 0;
            });
        }
        assertThat(scene.look("chatty").state()).isInstanceOf(SessionState.Running.class);
    }

    /** A program that only prints reports no events; its runner reports the activity. */
    @Test
    void an_agent_that_prints_is_not_silent() {
        var claim = begun("printing", SILENT);
        var held = new RenewLeases.Held(claim.lease().holder().fence(), true, 0);
        for (int i = 0; i < 10; i++) {
            scene.clock.pass(Duration.ofSeconds(20));
            done(scene.rules.renew.renew(runner, Map.of(claim.run().id(), held)));
            scene.sweep();
        }
        assertThat(scene.look("printing").state()).isInstanceOf(SessionState.Running.class);
        pass(claim, 80);
        assertThat(scene.look("printing").state()).isInstanceOf(SessionState.TimedOut.class);
    }

    /** Between two turns there is no run, but the program would stay for ever. */
    @Test
    void an_idle_session_times_out_at_its_maximum_age() {
        var claim =
                begun("idle", new Task.Terms(null, Duration.ofSeconds(100), null, Task.Hooks.NONE));
        var by = claim.lease().holder();
        var turn = new Result("one turn", null);
        done(scene.rules.report.completed(claim.run().id(), by, turn, MoveRun.After.IDLE));
        scene.clock.pass(Duration.ofSeconds(100));
        scene.sweep();
        assertThat(scene.look("idle").state()).isInstanceOf(SessionState.Idle.class);
        scene.clock.pass(Duration.ofSeconds(1));
        scene.sweep();
        assertThat(scene.look("idle").state()).isInstanceOf(SessionState.TimedOut.class);
    }

    @Test
    void a_running_session_times_out_at_its_maximum_age() {
        var claim =
                begun("old", new Task.Terms(null, Duration.ofSeconds(100), null, Task.Hooks.NONE));
        pass(claim, 100);
        assertThat(scene.look("old").state()).isInstanceOf(SessionState.Running.class);
        pass(claim, 20);
        assertThat(scene.look("old").state()).isInstanceOf(SessionState.TimedOut.class);
    }

    @Test
    void frozen_time_does_not_count_as_silence() {
        var claim = begun("cold", SILENT);
        var freeze = new FreezeTree(scene.rules.ports);
        done(freeze.freeze(new SessionId("cold")));
        pass(claim, 200);
        done(freeze.thaw(new SessionId("cold")));
        pass(claim, 60);
        assertThat(scene.look("cold").state()).isInstanceOf(SessionState.Running.class);
        pass(claim, 20);
        assertThat(scene.look("cold").state()).isInstanceOf(SessionState.TimedOut.class);
    }

    /** Field study, item 10: 133 more agents were started after the first one met the limit. */
    @Test
    void after_a_rate_limit_no_run_starts_on_the_account_for_a_while() {
        var first = begun("one", ACCOUNT);
        done(scene.run(named("two"), ACCOUNT));
        done(scene.run(named("three"), ACCOUNT));
        done(scene.run(named("elsewhere")));
        done(scene.failed(first, "API Error: 429 Too Many Requests"));
        assertThat(scene.entries().stream().anyMatch(e -> e.fact() instanceof Fact.AccountHeld))
                .isTrue();
        assertThat(begun().session().name()).isEqualTo("elsewhere");
        assertThat(scene.claim(runner)).isEmpty();
        scene.clock.pass(Duration.ofSeconds(31));
        var probe = begun();
        assertThat(probe.session().name()).isEqualTo("two");
        assertThat(scene.claim(runner)).as("while a single run probes the account").isEmpty();
        done(scene.failed(probe, "usage limit reached"));
        scene.clock.pass(Duration.ofSeconds(59));
        assertThat(scene.claim(runner)).as("the second hold is twice as long").isEmpty();
        scene.clock.pass(Duration.ofSeconds(2));
        done(scene.finished(begun(), "works again"));
        done(scene.run(named("four"), ACCOUNT));
        done(scene.run(named("five"), ACCOUNT));
        begun();
        begun();
    }

    @Test
    void a_run_that_waits_for_its_account_does_not_time_out() {
        done(scene.failed(begun("one", ACCOUNT), "rate limit"));
        done(scene.run(named("two"), ACCOUNT));
        scene.clock.pass(Duration.ofSeconds(325));
        scene.sweep();
        assertThat(scene.look("two").state()).isInstanceOf(SessionState.Pending.class);
        // The account is free again, but no runner claims the run.
        scene.clock.pass(Duration.ofSeconds(10));
        scene.sweep();
        assertThat(scene.look("two").state()).isInstanceOf(SessionState.TimedOut.class);
    }

    @Test
    void an_ordinary_failure_does_not_hold_the_account() {
        done(scene.failed(begun("one", ACCOUNT), "no such file: page 4290"));
        done(scene.run(named("two"), ACCOUNT));
        begun();
    }
}
