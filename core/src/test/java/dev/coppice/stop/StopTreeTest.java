package dev.coppice.stop;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.fleet.ClaimRun.Claim;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.scene.Scene;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.WhenBusy;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

/** Stops of trees, and the children of a parent that ends. */
class StopTreeTest {
    private final Scene scene = new Scene();
    private final RunnerId runner = scene.runner("r1", 8);
    private final Map<String, Claim> claims = new HashMap<>();

    private void begun(String name) {
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        claims.put(name, claim);
    }

    private void root(String name) {
        done(scene.run(named(name)));
        begun(name);
    }

    private void child(String parent, String name) {
        done(scene.run(below(parent, name), ExecutionMode.ASYNC_POLL));
        begun(name);
    }

    private void child(String parent, String name, OnParentEnd onParentEnd) {
        done(scene.run(below(parent, name).unlessChosen(onParentEnd), ExecutionMode.ASYNC_POLL));
        begun(name);
    }

    private Claim claim(String name) {
        return java.util.Objects.requireNonNull(claims.get(name));
    }

    private String state(String name) {
        return StateWord.of(scene.look(name).state());
    }

    private void stopped(String name) {
        done(scene.stopped(claim(name)));
    }

    private void three() {
        root("top");
        child("top", "mid");
        child("mid", "leaf");
    }

    @Test
    void children_are_stopped_before_their_parents() {
        three();
        var stop = done(scene.stopTree("top"));
        assertThat(state("leaf")).isEqualTo("stopping");
        assertThat(state("mid")).isEqualTo("running");
        assertThat(state("top")).isEqualTo("running");
        stopped("leaf");
        assertThat(state("mid")).isEqualTo("stopping");
        assertThat(state("top")).isEqualTo("running");
        stopped("mid");
        assertThat(state("top")).isEqualTo("stopping");
        assertThat(scene.look(stop.id()).isOver()).isFalse();
        stopped("top");
        assertThat(scene.look(stop.id()).isOver()).isTrue();
        assertThat(scene.look("top").standing().fenced()).isNull();
    }

    /** The original promised to stop in parallel, but stopped one after the other. */
    @Test
    void all_sessions_of_one_level_are_stopped_at_once() {
        root("top");
        for (int i = 0; i < 5; i++) child("top", "kid" + i);
        done(scene.stopTree("top"));
        for (int i = 0; i < 5; i++) assertThat(state("kid" + i)).isEqualTo("stopping");
        assertThat(state("top")).isEqualTo("running");
        scene.assertNothingIsLeft();
    }

    @Test
    void nothing_starts_in_a_tree_that_is_being_stopped() {
        three();
        done(scene.finished(claim("top"), "ready"));
        done(scene.stopTree("top"));
        assertThat(refused(scene.run(below("mid", "late"))))
                .isEqualTo(new SessionRefusal.TreeIsStopping(scene.look("top").id()));
        assertThat(refused(scene.run(below("top", "late"))))
                .isInstanceOf(SessionRefusal.TreeIsStopping.class);
        assertThat(refused(scene.resume("top"))).isInstanceOf(SessionRefusal.TreeIsStopping.class);
        stopped("leaf");
        stopped("mid");
        done(scene.resume("top"));
    }

    @Test
    void a_second_stop_joins_the_stop_in_progress() {
        three();
        var first = done(scene.stopTree("top"));
        assertThat(done(scene.stopTree("top")).id()).isEqualTo(first.id());
        assertThat(done(scene.stopTree("mid")).id()).isEqualTo(first.id());
    }

    @Test
    void queued_runs_and_sessions_without_runs_end_at_once() {
        root("top");
        done(scene.run(below("top", "queued")));
        done(scene.run(below("queued", "below-it")));
        done(scene.session(below("top", "without-run")));
        done(scene.stopTree("top"));
        assertThat(state("queued")).isEqualTo("stopped");
        assertThat(state("below-it")).isEqualTo("stopped");
        assertThat(state("without-run")).isEqualTo("stopped");
        assertThat(state("top")).isEqualTo("stopping");
        assertThat(scene.claim(runner)).isEmpty();
    }

    /** The queued parent cannot be stopped before its live child, but must not start either. */
    @Test
    void a_queued_run_above_live_children_is_not_claimed() {
        three();
        done(scene.finished(claim("mid"), "ready"));
        done(scene.resume("mid"));
        done(scene.stopTree("top"));
        assertThat(scene.claim(runner)).isEmpty();
        stopped("leaf");
        assertThat(state("mid")).isEqualTo("stopped");
    }

    @Test
    void the_stop_of_an_ended_tree_is_over_at_once() {
        root("top");
        done(scene.finished(claim("top"), "ready"));
        assertThat(done(scene.stopTree("top")).isOver()).isTrue();
    }

    @Test
    void a_child_that_finishes_before_its_stop_counts_as_finished() {
        three();
        done(scene.stopTree("top"));
        done(scene.finished(claim("leaf"), "just in time"));
        assertThat(state("leaf")).isEqualTo("finished");
        assertThat(state("mid")).isEqualTo("stopping");
    }

    /** The stop of a child must not wake its waiting parent. */
    @Test
    void a_stopped_tree_does_not_wake_up_by_itself() {
        root("top");
        done(scene.run(below("top", "kid"), ExecutionMode.ASYNC_CALLBACK));
        begun("kid");
        done(scene.finished(claim("top"), "waiting"));
        done(scene.stopTree("top"));
        stopped("kid");
        scene.deliver();
        assertThat(state("top")).isEqualTo("finished");
        assertThat(scene.callbacks().getFirst().state().word()).isEqualTo("held");
        done(scene.resume("top"));
        begun("top");
        done(scene.finished(claim("top"), "back"));
        scene.deliver();
        assertThat(state("top")).isEqualTo("pending");
    }

    @Test
    void children_follow_their_own_choice_when_their_parent_ends() {
        root("top");
        child("top", "stop", OnParentEnd.STOP);
        child("top", "keep", OnParentEnd.KEEP);
        child("top", "abandon", OnParentEnd.ABANDON);
        child("top", "ask", OnParentEnd.ASK);
        done(scene.finished(claim("top"), "ready"));
        assertThat(state("stop")).isEqualTo("stopping");
        assertThat(state("keep")).isEqualTo("running");
        assertThat(state("abandon")).isEqualTo("running");
        assertThat(scene.look("abandon").standing().abandoned()).isNotNull();
        assertThat(scene.callbacks()).hasSize(1);
        assertThat(scene.callbacks().getFirst().to().value()).isEqualTo("ask");
    }

    @Test
    void a_failed_parent_stops_its_sync_children_and_a_stopped_one_all() {
        root("top");
        done(scene.run(below("top", "sync-child"), ExecutionMode.SYNC));
        begun("sync-child");
        child("top", "async-child");
        assertThat(scene.look("sync-child").standing().onParentEnd()).isEqualTo(OnParentEnd.STOP);
        assertThat(scene.look("async-child").standing().onParentEnd()).isEqualTo(OnParentEnd.KEEP);
        done(scene.failed(claim("top"), "broke"));
        assertThat(state("sync-child")).isEqualTo("stopping");
        assertThat(state("async-child")).isEqualTo("running");
        done(scene.stop("top"));
        assertThat(state("async-child")).isEqualTo("stopping");
    }

    @Test
    void children_are_stopped_after_a_parent_that_is_stopped_alone() {
        three();
        done(scene.stop("top"));
        assertThat(state("mid")).isEqualTo("running");
        stopped("top");
        assertThat(state("mid")).isEqualTo("stopping");
        stopped("mid");
        assertThat(state("leaf")).isEqualTo("stopping");
    }

    @Test
    void a_session_whose_stop_is_never_confirmed_is_lost() {
        root("top");
        done(scene.stop("top"));
        var fences = Map.of(claim("top").run().id(), claim("top").lease().holder().fence());
        // The lease is renewed each time, so only the overdue stop can end the run.
        for (int i = 0; i < 4; i++) {
            scene.clock.pass(java.time.Duration.ofSeconds(20));
            done(scene.renew(runner, fences));
            scene.sweep();
        }
        assertThat(scene.look("top").state()).isInstanceOf(SessionState.Lost.class);
        assertThat(done(scene.renew(runner, fences)).lost()).hasSize(1);
    }

    /** The middle session has finished, but its child and its parent are live. */
    @Test
    void a_tree_stop_skips_an_ended_session_and_stops_its_live_parent() {
        three();
        done(scene.finished(claim("mid"), "ready"));
        var stop = done(scene.stopTree("top"));
        stopped("leaf");
        assertThat(state("top")).isEqualTo("stopping");
        stopped("top");
        assertThat(scene.look(stop.id()).isOver()).isTrue();
    }

    @Test
    void an_interrupting_message_does_not_stop_the_children() {
        three();
        done(scene.send("top", "do this", WhenBusy.INTERRUPT));
        stopped("top");
        assertThat(state("mid")).isEqualTo("running");
    }
}
