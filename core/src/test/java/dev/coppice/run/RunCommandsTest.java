package dev.coppice.run;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.Runner;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.ParentReference;
import dev.coppice.session.SessionState;
import dev.coppice.word.ExecutionMode;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs from start to end, and tests for the defects of the original. */
class RunCommandsTest {
    private final Scene scene = new Scene();
    private final RunnerId runner = scene.runner("r1", 4);

    private dev.coppice.fleet.ClaimRun.Claim running(String name) {
        done(scene.run(named(name)));
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        return claim;
    }

    @Test
    void a_run_moves_its_session_from_pending_to_finished() {
        done(scene.run(named("plan")));
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Pending.class);
        var claim = scene.claim(runner).orElseThrow();
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Pending.class);
        done(scene.confirmed(claim));
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Running.class);
        done(scene.finished(claim, "ready"));
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Finished.class);
        assertThat(scene.look(claim.run().id()).result().text()).isEqualTo("ready");
    }

    @Test
    void the_journal_has_the_event_order_of_the_original() {
        done(scene.finished(running("plan"), "ready"));
        assertThat(scene.entries().stream().map(e -> e.fact().getClass().getSimpleName()))
                .containsExactly(
                        "SessionCreated",
                        "RunStarted",
                        "SessionUpdated",
                        "ResultGiven",
                        "SessionUpdated",
                        "RunCompleted");
    }

    @Test
    void reporting_twice_has_the_effect_of_once() {
        var claim = running("plan");
        done(scene.finished(claim, "ready"));
        int before = scene.entries().size();
        assertThat(done(scene.finished(claim, "ready again")).result().text()).isEqualTo("ready");
        assertThat(scene.entries()).hasSize(before);
    }

    @Test
    void an_ended_run_stays_ended() {
        var claim = running("plan");
        done(scene.finished(claim, "ready"));
        assertThat(refused(scene.failed(claim, "no"))).isInstanceOf(RunRefusal.RunHasEnded.class);
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Finished.class);
    }

    /** Original, section 6: any registered runner can finish any run. */
    @Test
    void a_runner_without_the_lease_cannot_finish_a_run() {
        var claim = running("plan");
        scene.runner("r2", 4);
        var foreign = new Holder(new RunnerId("r2"), claim.lease().holder().fence());
        assertThat(refused(scene.finished(claim.run().id(), foreign, "mine")))
                .isEqualTo(new RunRefusal.LeaseLost(claim.run().id(), new RunnerId("r2")));
        var earlier = new Holder(runner, claim.lease().holder().fence() - 1);
        assertThat(refused(scene.finished(claim.run().id(), earlier, "mine")))
                .isInstanceOf(RunRefusal.LeaseLost.class);
    }

    @Test
    void a_runner_gets_its_share_of_what_is_queued_oldest_first() {
        for (int i = 0; i < 10; i++) done(scene.run(named("s" + i)));
        assertThat(names(new ClaimRun.Ask(false, 16, 2))).containsExactly("s0", "s1", "s2", "s3");
        assertThat(names(new ClaimRun.Ask(false, 16, 1))).as("it is full").isEmpty();
        var other = scene.runner("r2", 64);
        var ask = new ClaimRun.Ask(false, 3, 1);
        assertThat(done(scene.rules.claim.claim(other, ask))).hasSize(3);
        var share = new ClaimRun.Ask(false, 16, 2);
        assertThat(done(scene.rules.claim.claim(other, share))).hasSize(1);
        assertThat(done(scene.rules.claim.claim(other, share))).hasSize(1);
    }

    @Test
    void a_drained_coordinator_gives_out_only_what_a_live_run_may_wait_for() {
        running("plan");
        done(scene.run(named("lone")));
        done(scene.run(below("lone", "other")));
        done(scene.run(below("plan", "kid")));
        var awaited = new ClaimRun.Ask(false, 16, 1, ClaimRun.Which.AWAITED);
        assertThat(names(awaited)).containsExactly("kid");
        assertThat(names(new ClaimRun.Ask(false, 16, 1))).contains("lone");
    }

    private List<String> names(ClaimRun.Ask ask) {
        return done(scene.rules.claim.claim(runner, ask)).stream()
                .map(claim -> claim.session().name())
                .toList();
    }

    /** A runner confirms every claim before it asks again, so the answer was lost. */
    @Test
    void claims_in_a_lost_answer_are_queued_again_when_the_runner_asks_again() {
        for (int i = 0; i < 3; i++) done(scene.run(named("s" + i)));
        done(scene.confirmed(scene.claim(runner).orElseThrow()));
        var lost = done(scene.rules.claim.claim(runner, new ClaimRun.Ask(false, 2, 1)));
        var again = done(scene.rules.claim.claim(runner, new ClaimRun.Ask(true, 2, 1)));
        assertThat(again).hasSize(2);
        for (int i = 0; i < 2; i++) {
            assertThat(again.get(i).run().id()).isEqualTo(lost.get(i).run().id());
            assertThat(refused(scene.confirmed(lost.get(i))))
                    .isInstanceOf(RunRefusal.LeaseLost.class);
            done(scene.confirmed(again.get(i)));
        }
    }

    /** Original, section 6: a dead long-poll connection keeps the run it claimed for ever. */
    @Test
    void an_unconfirmed_claim_expires_and_the_run_can_be_claimed_again() {
        done(scene.run(named("plan")));
        var lost = scene.claim(runner).orElseThrow();
        assertThat(scene.claim(runner)).isEmpty();
        scene.clock.pass(Duration.ofSeconds(11));
        scene.sweep();
        var again = scene.claim(runner).orElseThrow();
        assertThat(again.run().id()).isEqualTo(lost.run().id());
        assertThat(again.lease().holder().fence()).isGreaterThan(lost.lease().holder().fence());
        assertThat(refused(scene.confirmed(lost))).isInstanceOf(RunRefusal.LeaseLost.class);
        done(scene.confirmed(again));
    }

    @Test
    void a_silent_runner_loses_its_runs() {
        var claim = running("plan");
        scene.clock.pass(Duration.ofSeconds(31));
        scene.sweep();
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Lost.class);
        assertThat(refused(scene.finished(claim, "late")))
                .isInstanceOf(RunRefusal.RunHasEnded.class);
    }

    @Test
    void a_runner_that_renews_keeps_its_runs() {
        var claim = running("plan");
        var fences = Map.of(claim.run().id(), claim.lease().holder().fence());
        for (int i = 0; i < 10; i++) {
            scene.clock.pass(Duration.ofSeconds(20));
            assertThat(done(scene.renew(runner, fences)).lost()).isEmpty();
            scene.sweep();
        }
        done(scene.finished(claim, "ready"));
    }

    @Test
    void a_renewal_returns_the_runs_that_the_runner_has_lost() {
        var claim = running("plan");
        scene.clock.pass(Duration.ofSeconds(31));
        scene.sweep();
        var fences = Map.of(claim.run().id(), claim.lease().holder().fence());
        assertThat(done(scene.renew(runner, fences)).lost()).containsExactly(claim.run().id());
    }

    @Test
    void a_restarted_runner_loses_at_once_the_runs_it_no_longer_holds() {
        var preserved = running("preserved");
        running("gone");
        scene.runner("r1", 4, Runner.Protocol.FENCED, Set.of(preserved.run().id()));
        assertThat(scene.look("gone").state()).isInstanceOf(SessionState.Lost.class);
        assertThat(scene.look("preserved").state()).isInstanceOf(SessionState.Running.class);
        done(scene.finished(preserved, "ready"));
    }

    /** Original, section 6: stopping a resumed session finds its oldest run and stops nothing. */
    @Test
    void stopping_a_resumed_session_stops_its_live_run() {
        done(scene.finished(running("plan"), "first"));
        done(scene.resume("plan"));
        var second = scene.claim(runner).orElseThrow();
        done(scene.confirmed(second));
        var stop = done(scene.stop("plan"));
        assertThat(java.util.Objects.requireNonNull(stop.run()).id()).isEqualTo(second.run().id());
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Stopping.class);
        done(scene.stopped(second));
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Stopped.class);
    }

    @Test
    void a_stop_before_the_claim_takes_effect_at_once() {
        done(scene.run(named("plan")));
        done(scene.stop("plan"));
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Stopped.class);
        assertThat(scene.claim(runner)).isEmpty();
    }

    @Test
    void a_second_stop_joins_the_stop_in_progress() {
        running("plan");
        done(scene.stop("plan"));
        int before = scene.entries().size();
        done(scene.stop("plan"));
        assertThat(scene.entries()).hasSize(before);
    }

    @Test
    void a_run_that_ends_before_its_stop_keeps_its_own_end() {
        var claim = running("plan");
        done(scene.stop("plan"));
        done(scene.finished(claim, "just in time"));
        assertThat(scene.look("plan").state()).isInstanceOf(SessionState.Finished.class);
    }

    /** Original, section 6: a second resume is accepted while the first one runs. */
    @Test
    void a_busy_session_is_not_resumed() {
        var claim = running("plan");
        assertThat(refused(scene.resume("plan")))
                .isEqualTo(new SessionRefusal.SessionBusy(new SessionId("plan"), claim.run().id()));
    }

    /** Original, section 4: a session may be its own parent, and cycles are accepted. */
    @Test
    void a_parent_that_makes_a_cycle_is_refused() {
        running("plan");
        done(scene.run(below("plan", "draft")));
        var child = scene.claim(runner).orElseThrow();
        done(scene.confirmed(child));
        done(scene.finished(child, "x"));
        done(scene.stop("plan"));
        scene.sweep();
        var plan = new SessionId("plan");
        assertThat(refused(scene.resume("plan", ParentReference.of(new SessionId("draft")))))
                .isEqualTo(new SessionRefusal.ParentMakesCycle(plan, new SessionId("draft")));
        assertThat(refused(scene.resume("plan", ParentReference.of(plan))))
                .isInstanceOf(SessionRefusal.ParentIsItself.class);
        assertThat(refused(scene.resume("draft", new ParentReference("nobody", null))))
                .isInstanceOf(SessionRefusal.ParentUnknown.class);
    }

    /** Original, section 4, defect 8: a run without a result returns the previous one. */
    @Test
    void a_result_belongs_to_its_run() {
        done(scene.finished(running("plan"), "first"));
        var second = done(scene.resume("plan")).run();
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        done(scene.failed(claim, "broke"));
        assertThat(scene.look(second.id()).result().isEmpty()).isTrue();
    }

    @Test
    void a_run_without_matching_runner_times_out_with_that_reason() {
        done(scene.run(named("plan")));
        scene.clock.pass(Duration.ofMinutes(6));
        scene.sweep();
        assertThat(scene.look("plan").state())
                .isEqualTo(
                        new SessionState.TimedOut(
                                scene.clock.instant(),
                                "No matching runner available within timeout"));
        assertThat(scene.entries().getLast().fact()).isInstanceOf(Fact.RunFailed.class);
    }

    @Test
    void a_runner_claims_up_to_its_capacity_and_waiting_runs_do_not_count() {
        var small = scene.runner("small", 1);
        done(scene.run(named("plan")));
        var parent = scene.claim(small).orElseThrow();
        done(scene.confirmed(parent));
        done(scene.run(below("plan", "draft")));
        assertThat(scene.claim(small)).isEmpty();
        scene.store.write(() -> {
            var until = scene.clock.instant().plusSeconds(30);
            scene.store.runs().setWaiting(parent.run().id(), until);
            return until;
        });
        assertThat(scene.claim(small)).isPresent();
    }

    @Test
    void runs_of_a_tree_are_limited_but_a_waiting_parent_does_not_count() {
        var one = Limits.NONE.with(Limits.Kind.RUNS, 1);
        var plan =
                new dev.coppice.session.NewSession(
                        new SessionId("plan"),
                        "plan",
                        null,
                        ParentReference.NONE,
                        dev.coppice.session.Profile.EMPTY,
                        one);
        done(scene.run(plan));
        assertThat(refused(scene.run(below("plan", "a"), ExecutionMode.ASYNC_POLL)))
                .isEqualTo(
                        new RequestRefusal.LimitReached("runs", 1, 2, "session 'plan' ('plan')"));
        done(scene.run(below("plan", "b"), ExecutionMode.SYNC));
        assertThat(scene.store.read(() -> scene.store.sessions().named("a"))).isEmpty();
    }

    @Test
    void runners_of_the_original_hold_their_runs_without_a_fence() {
        var original = scene.runner("old", 4, Runner.Protocol.UNFENCED, Set.of());
        done(scene.run(named("plan")));
        var claim = scene.claim(original).orElseThrow();
        scene.clock.pass(Duration.ofSeconds(60));
        done(scene.renew(original, Map.of()));
        scene.clock.pass(Duration.ofSeconds(100));
        scene.sweep();
        done(scene.confirmed(claim));
        done(scene.finished(claim, "ready"));
    }
}
