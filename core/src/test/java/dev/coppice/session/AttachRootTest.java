package dev.coppice.session;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.scene.Scene;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AttachRootTest {
    private final Scene scene = new Scene();

    @BeforeEach
    void two_trees() {
        done(scene.session(named("plan")));
        done(scene.session(below("plan", "draft")));
        done(scene.session(named("lost")));
        done(scene.session(below("lost", "leaf")));
    }

    @Test
    void a_root_and_all_below_it_are_below_their_new_parent() {
        var lost = done(attach("lost", "draft"));
        assertThat(lost.place().path()).isEqualTo("plan.draft.lost");
        var leaf = scene.look("leaf");
        assertThat(leaf.place().root()).isEqualTo(new SessionId("plan"));
        assertThat(leaf.place().depth()).isEqualTo(3);
        assertThat(scene.entries().getLast().fact().toString()).contains("SessionAttached");
    }

    @Test
    void a_session_that_has_a_parent_stays_there() {
        assertThat(refused(attach("leaf", "draft")))
                .isEqualTo(
                        new SessionRefusal.ParentIsFixed(
                                new SessionId("leaf"),
                                new SessionId("lost"),
                                new SessionId("draft")));
    }

    @Test
    void no_cycle_can_be_made() {
        assertThat(refused(attach("lost", "leaf")))
                .isInstanceOf(SessionRefusal.ParentMakesCycle.class);
        assertThat(refused(attach("lost", "lost")))
                .isInstanceOf(SessionRefusal.ParentIsItself.class);
    }

    @Test
    void a_limit_above_counts_every_live_session_that_comes() {
        var limits = Limits.NONE.with(Limits.Kind.DESCENDANTS, 1L);
        done(scene.session(below("plan", "small", limits)));
        assertThat(refused(attach("lost", "small")))
                .isInstanceOf(RequestRefusal.LimitReached.class);
        assertThat(scene.look("lost").place().parent()).isNull();
    }

    @Test
    void a_limit_of_depth_counts_the_levels_that_come() {
        var limits = Limits.NONE.with(Limits.Kind.DEPTH, 1L);
        done(scene.session(below("plan", "flat", limits)));
        assertThat(refused(attach("lost", "flat"))).isInstanceOf(RequestRefusal.LimitReached.class);
    }

    private Outcome<Session> attach(String root, String parent) {
        return scene.rules
                .ports
                .transactions()
                .write(() -> scene.rules.attachRoot.attach(scene.look(root), scene.look(parent)));
    }
}
