package dev.coppice.callback;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.callback.Join.Until;
import dev.coppice.fleet.ClaimRun.Claim;
import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.scene.PlainPrompting;
import dev.coppice.scene.Scene;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.JoinKind;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** Joins on all, any, some, or the first child that succeeds. */
class JoinsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private final Scene scene = new Scene();
    private final RunnerId runner = scene.runner("r1", 8);
    private Claim boss = begin("boss");
    private Claim one = boss;
    private Claim two = boss;
    private Claim three = boss;

    private Claim begin(String name) {
        done(scene.run(named(name)));
        return begun();
    }

    private Claim begun() {
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        return claim;
    }

    private Claim child(String name, ExecutionMode mode) {
        done(scene.run(below("boss", name), mode));
        return begun();
    }

    @BeforeEach
    void three_children() {
        one = child("one", ExecutionMode.ASYNC_CALLBACK);
        two = child("two", ExecutionMode.ASYNC_CALLBACK);
        three = child("three", ExecutionMode.ASYNC_POLL);
    }

    private Join join(JoinKind kind, int wanted) {
        return done(scene.join("boss", new Until(kind, wanted), HOUR, "one", "two", "three"));
    }

    private String nextPrompt() {
        return PlainPrompting.promptOf(begun().run().task().parameters());
    }

    @Test
    void a_join_on_all_wakes_the_parent_only_after_the_last_end() {
        var join = join(JoinKind.ALL, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.finished(one, "1"));
        done(scene.failed(two, "no"));
        assertThat(scene.deliver()).isZero();
        done(scene.finished(three, "3"));
        assertThat(scene.deliver()).isOne();
        assertThat(nextPrompt())
                .isEqualTo(
                        """
                        <agent-callback type="join" join="%s" until="all" outcome="met" count="3">
                        ### Child: one (status: completed)

                        1

                        ---

                        ### Child: two (status: failed)

                        no

                        ---

                        ### Child: three (status: completed)

                        3
                        </agent-callback>

                        Please continue with the orchestration based on these results.\
                        """
                                .formatted(join.id()));
        assertThat(scene.callbacks()).hasSize(1);
    }

    @Test
    void a_join_on_any_wakes_at_the_first_end_and_later_ends_are_delivered_one_by_one() {
        join(JoinKind.ANY, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.failed(two, "no"));
        scene.deliver();
        var woken = begun();
        assertThat(PlainPrompting.promptOf(woken.run().task().parameters()))
                .contains("### Child: two (status: failed)", "### Still under way: one, three");
        done(scene.finished(woken, "thanks"));
        done(scene.finished(one, "late"));
        scene.deliver();
        assertThat(nextPrompt()).startsWith("<agent-callback session=\"one\"");
    }

    @Test
    void a_join_on_some_waits_for_the_wanted_number() {
        join(JoinKind.SOME, 2);
        done(scene.finished(boss, "waiting"));
        done(scene.finished(one, "1"));
        assertThat(scene.deliver()).isZero();
        done(scene.failed(two, "no"));
        assertThat(scene.deliver()).isOne();
    }

    @Test
    void a_join_on_first_success_skips_failures() {
        join(JoinKind.FIRST_SUCCESS, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.failed(one, "no"));
        assertThat(scene.deliver()).isZero();
        done(scene.finished(two, "yes"));
        scene.deliver();
        assertThat(nextPrompt()).contains("outcome=\"met\"");
    }

    @Test
    void a_join_on_first_success_is_unmet_if_all_fail() {
        join(JoinKind.FIRST_SUCCESS, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.failed(one, "no"));
        done(scene.failed(two, "no"));
        done(scene.failed(three, "no"));
        scene.deliver();
        assertThat(nextPrompt()).contains("outcome=\"unmet\"");
    }

    @Test
    void a_join_that_times_out_wakes_the_parent_with_that_outcome() {
        join(JoinKind.ALL, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.finished(one, "1"));
        scene.clock.pass(HOUR);
        assertThat(scene.joinsTimedOut()).isOne();
        assertThat(scene.joinsTimedOut()).isZero();
        scene.deliver();
        assertThat(nextPrompt())
                .contains("outcome=\"timed_out\"", "### Still under way: two, three");
    }

    @Test
    void ends_before_the_join_count_and_are_not_delivered_twice() {
        done(scene.finished(one, "1"));
        done(scene.finished(two, "2"));
        done(scene.finished(three, "3"));
        join(JoinKind.ALL, 0);
        done(scene.finished(boss, "waiting"));
        scene.deliver();
        assertThat(nextPrompt())
                .startsWith("<agent-callback type=\"join\"")
                .contains("1", "2", "3");
        assertThat(scene.callbacks().stream().map(c -> c.state().word()))
                .containsExactly("joined", "joined", "carried");
    }

    @Test
    void a_join_accepts_only_children_that_had_a_run() {
        done(scene.run(below("one", "grandchild")));
        done(scene.session(below("boss", "empty")));
        begin("stranger");
        for (var name : java.util.List.of("empty", "stranger", "boss", "grandchild")) {
            var until = new Until(JoinKind.ALL, 0);
            assertThat(refused(scene.join("boss", until, HOUR, name)))
                    .isInstanceOf(CallbackRefusal.NothingToWaitFor.class);
        }
    }
}
