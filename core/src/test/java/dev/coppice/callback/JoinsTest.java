package dev.coppice.callback;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.callback.Join.Kind;
import dev.coppice.callback.Join.Until;
import dev.coppice.fleet.ClaimRun.Claim;
import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.run.Mode;
import dev.coppice.scene.PlainPrompting;
import dev.coppice.scene.Scene;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** Waiting for all, any, some, or the first that succeeds. */
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

    private Claim child(String name, Mode mode) {
        done(scene.run(below("boss", name), mode));
        return begun();
    }

    @BeforeEach
    void three_children() {
        one = child("one", Mode.ASYNC_CALLBACK);
        two = child("two", Mode.ASYNC_CALLBACK);
        three = child("three", Mode.ASYNC_POLL);
    }

    private Join join(Kind kind, int wanted) {
        return done(scene.join("boss", new Until(kind, wanted), HOUR, "one", "two", "three"));
    }

    private String told() {
        return PlainPrompting.promptOf(begun().run().task().parameters());
    }

    @Test
    void all_means_when_the_last_has_ended_and_nobody_is_told_before() {
        var join = join(Kind.ALL, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.finished(one, "1"));
        done(scene.failed(two, "no"));
        assertThat(scene.deliver()).isZero();
        done(scene.finished(three, "3"));
        assertThat(scene.deliver()).isOne();
        assertThat(told())
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
    void any_means_the_first_and_the_others_are_told_one_by_one_after() {
        join(Kind.ANY, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.failed(two, "no"));
        scene.deliver();
        var woken = begun();
        assertThat(PlainPrompting.promptOf(woken.run().task().parameters()))
                .contains("### Child: two (status: failed)", "### Still under way: one, three");
        done(scene.finished(woken, "thanks"));
        done(scene.finished(one, "late"));
        scene.deliver();
        assertThat(told()).startsWith("<agent-callback session=\"one\"");
    }

    @Test
    void some_means_so_many() {
        join(Kind.SOME, 2);
        done(scene.finished(boss, "waiting"));
        done(scene.finished(one, "1"));
        assertThat(scene.deliver()).isZero();
        done(scene.failed(two, "no"));
        assertThat(scene.deliver()).isOne();
    }

    @Test
    void the_first_success_passes_over_failures() {
        join(Kind.FIRST_SUCCESS, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.failed(one, "no"));
        assertThat(scene.deliver()).isZero();
        done(scene.finished(two, "yes"));
        scene.deliver();
        assertThat(told()).contains("outcome=\"met\"");
    }

    @Test
    void when_nobody_succeeds_that_is_said() {
        join(Kind.FIRST_SUCCESS, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.failed(one, "no"));
        done(scene.failed(two, "no"));
        done(scene.failed(three, "no"));
        scene.deliver();
        assertThat(told()).contains("outcome=\"unmet\"");
    }

    @Test
    void a_time_out_is_an_outcome_too() {
        join(Kind.ALL, 0);
        done(scene.finished(boss, "waiting"));
        done(scene.finished(one, "1"));
        scene.clock.pass(HOUR);
        assertThat(scene.joinsTimedOut()).isOne();
        assertThat(scene.joinsTimedOut()).isZero();
        scene.deliver();
        assertThat(told()).contains("outcome=\"timed_out\"", "### Still under way: two, three");
    }

    @Test
    void what_ended_before_counts_and_is_not_told_twice() {
        done(scene.finished(one, "1"));
        done(scene.finished(two, "2"));
        done(scene.finished(three, "3"));
        join(Kind.ALL, 0);
        done(scene.finished(boss, "waiting"));
        scene.deliver();
        assertThat(told()).startsWith("<agent-callback type=\"join\"").contains("1", "2", "3");
        assertThat(scene.callbacks().stream().map(c -> c.state().word()))
                .containsExactly("joined", "joined", "carried");
    }

    @Test
    void only_children_that_had_a_run_can_be_waited_for() {
        done(scene.run(below("one", "grandchild")));
        done(scene.session(below("boss", "empty")));
        begin("stranger");
        for (var name : java.util.List.of("empty", "stranger", "boss", "grandchild")) {
            var until = new Until(Kind.ALL, 0);
            assertThat(refused(scene.join("boss", until, HOUR, name)))
                    .isInstanceOf(CallbackRefusal.NothingToWaitFor.class);
        }
    }
}
