package dev.coppice.callback;

import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.fleet.ClaimRun.Claim;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.PlainPrompting;
import dev.coppice.scene.Scene;
import dev.coppice.word.WhenBusy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Messages that a run hears within its turn: each is heard once, or comes with a prompt. */
class TakeMessagesTest {
    private final Scene scene = new Scene();
    private final RunnerId runner = scene.runner("r1", 8);

    private Claim begun() {
        return scene.begun(runner);
    }

    private Claim working() {
        done(scene.run(named("worker")));
        var claim = begun();
        scene.clock.pass(Duration.ofSeconds(1));
        return claim;
    }

    private List<String> take(Claim claim, @Nullable Instant since, Set<String> seen) {
        var wanted = new TakeMessages.Wanted(since, seen);
        return done(scene.rules.take.take(claim.run().id(), wanted)).stream()
                .map(c -> c.id().value())
                .toList();
    }

    private List<String> take(Claim claim) {
        return take(claim, null, Set.of());
    }

    private String steer(String text) {
        return done(scene.send("worker", text, WhenBusy.STEER)).id().value();
    }

    private String prompt(Claim claim) {
        return PlainPrompting.promptOf(claim.run().task().parameters());
    }

    @Test
    void a_message_comes_again_until_it_is_seen_and_is_delivered_when_it_is_heard() {
        var run = working();
        var id = steer("look left");
        // A run asks again if an answer was lost, and gets the same message.
        assertThat(take(run)).containsExactly(id);
        assertThat(take(run)).containsExactly(id);
        assertThat(take(run, null, Set.of(id))).isEmpty();
        scene.rules.take.heard(run.run().id(), Set.of(id));
        assertThat(take(run)).isEmpty();
        done(scene.finished(run, "done"));
        assertThat(scene.deliver()).isZero();
    }

    @Test
    void a_message_that_was_taken_and_not_heard_comes_with_the_next_prompt() {
        for (var ending : List.of("finished", "failed", "stopped")) {
            var other = new TakeMessagesTest();
            other.ends(ending);
        }
    }

    private void ends(String how) {
        var run = working();
        var heard = steer("heard");
        steer("unheard");
        assertThat(take(run)).hasSize(2);
        scene.rules.take.heard(run.run().id(), Set.of(heard));
        switch (how) {
            case "finished" -> done(scene.finished(run, "done"));
            case "failed" -> done(scene.failed(run, "broke"));
            default -> {
                done(scene.stop("worker"));
                done(scene.stopped(run));
                done(scene.resume("worker"));
                done(scene.finished(begun(), "resumed"));
            }
        }
        scene.deliver();
        assertThat(prompt(begun())).as(how).contains("unheard").doesNotContain("heard\nheard");
    }

    /** A message answers a question only if a person sent it after the question. */
    @Test
    void only_people_answer_and_only_what_was_asked_before() {
        var run = working();
        done(scene.send("worker", "yes", WhenBusy.QUEUE));
        scene.clock.pass(Duration.ofSeconds(1));
        var asked = scene.clock.instant();
        assertThat(take(run, asked, Set.of())).isEmpty();
        var sibling = new About.Message("yes", new SessionId("worker"), WhenBusy.QUEUE);
        done(scene.rules.send.send(new SessionId("worker"), sibling, Duration.ofSeconds(5)));
        assertThat(take(run, asked, Set.of())).isEmpty();
        var answer = done(scene.send("worker", "no", WhenBusy.QUEUE)).id().value();
        assertThat(take(run)).as("without a question").isEmpty();
        assertThat(take(run, asked, Set.of())).containsExactly(answer);
    }

    @Test
    void what_woke_a_run_is_in_its_prompt_and_is_not_taken() {
        done(scene.finished(working(), "idle"));
        steer("wake up");
        scene.deliver();
        var woken = begun();
        assertThat(prompt(woken)).contains("wake up");
        assertThat(take(woken)).isEmpty();
    }

    @Test
    void a_run_that_has_ended_takes_nothing() {
        var run = working();
        done(scene.finished(run, "done"));
        steer("late");
        assertThat(take(run)).isEmpty();
    }
}
