package dev.coppice.session;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.scene.Scene;
import dev.coppice.word.SessionType;

import org.junit.jupiter.api.Test;

import java.util.List;

class StartSessionTest {
    private final Scene scene = new Scene();

    @Test
    void a_session_without_a_parent_is_the_root_of_its_own_tree() {
        var session = done(scene.session(named("plan")));
        assertThat(session.place()).isEqualTo(new Place(null, session.id(), 0, "plan"));
        assertThat(session.type()).isEqualTo(SessionType.MAIN);
        assertThat(session.state()).isInstanceOf(SessionState.Pending.class);
    }

    @Test
    void a_child_knows_its_parent_its_root_its_depth_and_its_path() {
        done(scene.session(named("plan")));
        done(scene.session(below("plan", "draft")));
        var figure = done(scene.session(below("draft", "figure")));
        assertThat(figure.place().parentId()).isEqualTo(new SessionId("draft"));
        assertThat(figure.place().root()).isEqualTo(new SessionId("plan"));
        assertThat(figure.place().depth()).isEqualTo(2);
        assertThat(figure.place().path()).isEqualTo("plan.draft.figure");
        assertThat(figure.type()).isEqualTo(SessionType.SUBAGENT);
    }

    @Test
    void an_unknown_parent_is_refused_and_changes_nothing() {
        assertThat(refused(scene.session(below("nobody", "draft"))))
                .isEqualTo(new SessionRefusal.ParentUnknown("nobody"));
        assertThat(scene.entries()).isEmpty();
    }

    @Test
    void a_session_cannot_be_its_own_parent() {
        assertThat(refused(scene.session(below("draft", "draft"))))
                .isInstanceOf(SessionRefusal.ParentIsItself.class);
    }

    @Test
    void names_and_ids_are_unique() {
        done(scene.session(named("plan")));
        assertThat(refused(scene.session(named("plan"))))
                .isInstanceOf(SessionRefusal.SessionIdTaken.class);
        var other =
                new NewSession(
                        new SessionId("x"),
                        "plan",
                        null,
                        ParentReference.NONE,
                        Profile.EMPTY,
                        Limits.NONE);
        assertThat(refused(scene.session(other)))
                .isEqualTo(new SessionRefusal.NameTaken("plan", new SessionId("plan")));
    }

    private static NewSession rootNamed(String id, String name) {
        return new NewSession(
                new SessionId(id), name, null, ParentReference.NONE, Profile.EMPTY, Limits.NONE);
    }

    private void startedAndEnded(String id) {
        done(scene.session(rootNamed(id, "plan")));
        done(scene.stop(id));
    }

    private List<String> names() {
        return scene
                .store
                .read(() -> scene.store.sessions().list(SessionFilter.ALL, Cursor.first(1_000)))
                .items()
                .stream()
                .map(s -> s.id() + " " + s.name())
                .toList();
    }

    @Test
    void the_name_of_an_ended_session_is_free_for_a_new_root() {
        startedAndEnded("a");
        startedAndEnded("b");
        done(scene.session(rootNamed("c", "plan")));
        assertThat(names()).containsExactlyInAnyOrder("c plan", "b plan~1", "a plan~2");
        assertThat(refused(scene.session(rootNamed("d", "plan"))))
                .isEqualTo(new SessionRefusal.NameTaken("plan", new SessionId("c")));
        // A child takes no name: an agent that starts it again must be told.
        done(scene.session(below("plan", "child")));
        done(scene.stop("child"));
        var again =
                new NewSession(
                        new SessionId("e"),
                        "child",
                        null,
                        new ParentReference("c", null),
                        Profile.EMPTY,
                        Limits.NONE);
        assertThat(refused(scene.session(again))).isInstanceOf(SessionRefusal.NameTaken.class);
        done(scene.session(rootNamed("f", "child")));
        assertThat(names()).contains("f child", "child child~1");
    }

    @Test
    void of_many_former_sessions_only_the_last_are_numbered() {
        int all = FormerNames.NUMBERED_MAX + 3;
        for (int i = 0; i <= all; i++) startedAndEnded("s" + i);
        assertThat(names())
                .contains("s" + all + " plan", "s" + (all - 1) + " plan~1", "s3 plan~50")
                .contains("s2 plan~~s2", "s1 plan~~s1", "s0 plan~~s0")
                // Backups are read by this rule.
                .allMatch(line -> SessionName.isPossible(line.replaceFirst(".* ", "")));
    }

    /** Original, section 4, defect 2: a stopped parent gets further children. */
    @Test
    void no_session_starts_below_one_that_is_stopping_or_stopped() {
        var runner = scene.runner("r", 4);
        done(scene.run(named("plan")));
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        done(scene.stop("plan"));
        assertThat(refused(scene.session(below("plan", "late"))))
                .isEqualTo(new SessionRefusal.ParentIsStopping(new SessionId("plan")));
        done(scene.stopped(claim));
        assertThat(refused(scene.session(below("plan", "late"))))
                .isEqualTo(new SessionRefusal.ParentHasEnded(new SessionId("plan"), "stopped"));
    }

    @Test
    void a_finished_session_may_get_children() {
        var runner = scene.runner("r", 4);
        done(scene.run(named("plan")));
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        done(scene.finished(claim, "ready"));
        done(scene.session(below("plan", "more")));
    }

    @Test
    void depth_is_limited_and_the_refusal_names_the_origin_of_the_limit() {
        done(scene.session(named("s0")));
        for (int i = 1; i <= 6; i++) done(scene.session(below("s" + (i - 1), "s" + i)));
        assertThat(refused(scene.session(below("s6", "s7"))))
                .isEqualTo(new RequestRefusal.LimitReached("depth", 6, 7, "the coordinator"));
    }

    @Test
    void live_children_are_limited_and_ended_ones_do_not_count() {
        done(scene.session(named("plan")));
        for (int i = 0; i < 5; i++) done(scene.session(below("plan", "c" + i)));
        assertThat(refused(scene.session(below("plan", "c5"))))
                .isEqualTo(new RequestRefusal.LimitReached("children", 5, 6, "the coordinator"));
        done(scene.stop("c0"));
        done(scene.session(below("plan", "c5")));
    }

    @Test
    void a_limit_of_a_session_applies_to_all_its_descendants() {
        done(scene.session(named("plan")));
        done(scene.session(below("plan", "draft", Limits.NONE.with(Limits.Kind.DESCENDANTS, 2))));
        done(scene.session(below("draft", "a")));
        done(scene.session(below("a", "b")));
        assertThat(refused(scene.session(below("b", "c"))))
                .isEqualTo(
                        new RequestRefusal.LimitReached(
                                "descendants", 2, 3, "session 'draft' ('draft')"));
        done(scene.session(below("plan", "elsewhere")));
    }

    @Test
    void the_limits_of_a_child_are_capped_at_the_rest_of_its_parent() {
        done(
                scene.session(
                        new NewSession(
                                new SessionId("plan"),
                                "plan",
                                null,
                                ParentReference.NONE,
                                Profile.EMPTY,
                                Limits.NONE
                                        .with(Limits.Kind.DEPTH, 3)
                                        .with(Limits.Kind.DESCENDANTS, 10))));
        done(scene.session(below("plan", "a")));
        var child =
                done(
                        scene.session(
                                below(
                                        "plan",
                                        "b",
                                        Limits.NONE
                                                .with(Limits.Kind.DEPTH, 50)
                                                .with(Limits.Kind.DESCENDANTS, 50))));
        assertThat(child.limits().of(Limits.Kind.DEPTH)).isEqualTo(2);
        assertThat(child.limits().of(Limits.Kind.DESCENDANTS)).isEqualTo(8);
    }

    /** Generated names repeat: with six random digits some thousand sessions had collisions. */
    @Test
    void a_generated_name_that_is_in_use_is_generated_again() {
        var repeating =
                List.of("aaaaaaaaaaaa", "aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc").iterator();
        var store = scene.store;
        var start =
                new StartSession(
                        store,
                        store.sessions(),
                        store.journal(),
                        scene.rules.ports.room(),
                        scene.clock,
                        repeating::next);
        var id = new SessionId("x1");
        var nameless =
                new NewSession(id, null, null, ParentReference.NONE, Profile.EMPTY, Limits.NONE);
        assertThat(done(start.start(nameless)).name()).isEqualTo("session-aaaaaaaa");
        var next =
                new NewSession(
                        new SessionId("x2"),
                        null,
                        null,
                        ParentReference.NONE,
                        Profile.EMPTY,
                        Limits.NONE);
        assertThat(done(start.start(next)).name()).isEqualTo("session-bbbbbbbb");
    }
}
