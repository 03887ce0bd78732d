package dev.coppice.view;

import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.callback.About;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.RemovalPlan.Critical;
import dev.coppice.run.Mode;
import dev.coppice.scene.Scene;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What the coordinator itself knows of that must not be broken off. */
class CriticalsTest {
    private final Scene scene = new Scene();
    private Instant awake = Instant.EPOCH;
    private final Criticals criticals =
            new Criticals(
                    scene.store.sessions(),
                    scene.store.journal(),
                    scene.store.callbacks(),
                    scene.store.runs(),
                    scene.store.runners(),
                    scene.clock,
                    () -> awake);

    @AfterEach
    void nothingIsLeft() {
        scene.assertNothingIsLeft();
    }

    private List<Critical> found() {
        return scene.store.read(
                () -> criticals.of(new SessionId("top"), Choices.Children.CASCADE, 10));
    }

    private List<String> said() {
        return found().stream().map(c -> c.session() + ": " + c.what()).toList();
    }

    private void busy() {
        var runner = scene.runner("r1", 8);
        done(scene.run(named("top"), Mode.ASYNC_POLL));
        done(scene.confirmed(scene.claim(runner).orElseThrow()));
    }

    private void reports(String type, String body) {
        var id = new SessionId("top");
        scene.store.write(() -> {
            var fact = new Fact.Reported(type, new JsonText(body));
            scene.store.journal().append(id, null, fact, scene.clock.instant());
            return id;
        });
    }

    /** Nobody was heard while there was nobody to hear it. */
    @Test
    void a_runner_that_had_nobody_to_tell_is_not_silent() {
        busy();
        scene.clock.pass(Duration.ofSeconds(20));
        assertThat(said()).hasSize(1);
        awake = scene.clock.instant().minusSeconds(14);
        assertThat(said()).isEmpty();
        awake = scene.clock.instant().minusSeconds(16);
        assertThat(said()).hasSize(1);
    }

    @Test
    void messages_that_nobody_has_heard_would_be_lost() {
        busy();
        done(scene.send("top", "hey", About.WhenBusy.QUEUE));
        assertThat(said()).containsExactly("top: a message waits to be heard");
        done(scene.send("top", "and you", About.WhenBusy.QUEUE));
        assertThat(said()).containsExactly("top: 2 messages wait to be heard");
        var notice = "<agent-callback run=\"run_1\">done</agent-callback>";
        done(scene.send("top", notice, About.WhenBusy.QUEUE));
        assertThat(said()).containsExactly("top: 2 messages wait to be heard");
    }

    @Test
    void work_in_the_background_is_work_until_it_has_ended() {
        busy();
        reports("background_task_started", "{\"id\":\"build\"}");
        reports("background_task_started", "{\"id\":\"watch\"}");
        assertThat(said())
                .containsExactly(
                        "top: build goes on in the background",
                        "top: watch goes on in the background");
        reports("background_task_ended", "{\"id\":\"build\"}");
        assertThat(said()).containsExactly("top: watch goes on in the background");
        done(scene.stop("top"));
        assertThat(said()).containsExactly("top: watch goes on in the background");
    }

    /** Programs have their own names for it; one that ends does not end another. */
    @Test
    void tasks_and_questions_are_told_apart_by_whatever_names_them() {
        busy();
        reports("background_task_started", "{\"task_id\":\"build\"}");
        reports("background_task_started", "{\"task_id\":\"watch\"}");
        reports("background_task_started", "{}");
        reports("permission_request", "{\"request_id\":\"q1\",\"tool_name\":\"Write\"}");
        reports("permission_request", "{\"request_id\":\"q2\",\"tool_name\":\"Write\"}");
        reports("background_task_started", "{\"tool_use_id\":\"t1\"}");
        var both = "{\"request_id\":\"q3\",\"tool_use_id\":\"t2\",\"tool_name\":\"Edit\"}";
        reports("permission_request", both);
        reports("background_task_ended", "{\"task_id\":\"build\"}");
        reports("permission_answer", "{\"request_id\":\"q1\"}");
        assertThat(said())
                .containsExactly(
                        "top: watch goes on in the background",
                        "top: a task goes on in the background",
                        "top: a question about Write waits for an answer",
                        "top: a task goes on in the background",
                        "top: a question about Edit waits for an answer");
        reports("permission_answer", "{\"tool_use_id\":\"t2\"}");
        reports("background_task_ended", "{\"tool_use_id\":\"t1\"}");
        assertThat(said()).hasSize(3);
        // One question about a call that was asked about before is another one.
        reports("permission_request", "{\"request_id\":\"q4\",\"tool_use_id\":\"t3\"}");
        reports("permission_request", "{\"request_id\":\"q5\",\"tool_use_id\":\"t3\"}");
        assertThat(said()).hasSize(5);
        reports("permission_answer", "{\"request_id\":\"q4\",\"tool_use_id\":\"t3\"}");
        assertThat(said()).hasSize(4);
    }

    @Test
    void the_lease_of_a_silent_runner_may_still_be_acted_on() {
        var runner = scene.runner("r1", 8);
        done(scene.run(named("top"), Mode.ASYNC_POLL));
        done(scene.confirmed(scene.claim(runner).orElseThrow()));
        assertThat(found()).isEmpty();
        scene.clock.pass(Duration.ofSeconds(20));
        assertThat(found())
                .singleElement()
                .extracting(Critical::what)
                .asString()
                .contains("holds its lease", "not been heard");
        scene.clock.pass(Duration.ofMinutes(10));
        assertThat(found()).isEmpty();
    }
}
