package dev.coppice.view;

import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.RemovalPlan.Critical;
import dev.coppice.scene.Scene;
import dev.coppice.word.Choice;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.WhenBusy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The critical operations that the coordinator finds in its own data. */
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
                () -> criticals.of(new SessionId("top"), Choice.Children.CASCADE, 10));
    }

    private List<String> described() {
        return found().stream().map(c -> c.session() + ": " + c.what()).toList();
    }

    private void busy() {
        var runner = scene.runner("r1", 8);
        done(scene.run(named("top"), ExecutionMode.ASYNC_POLL));
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

    /** No runner is heard while the coordinator is down. */
    @Test
    void a_runner_is_not_silent_while_the_coordinator_was_down() {
        busy();
        scene.clock.pass(Duration.ofSeconds(20));
        assertThat(described()).hasSize(1);
        awake = scene.clock.instant().minusSeconds(14);
        assertThat(described()).isEmpty();
        awake = scene.clock.instant().minusSeconds(16);
        assertThat(described()).hasSize(1);
    }

    @Test
    void undelivered_messages_are_critical() {
        busy();
        done(scene.send("top", "hey", WhenBusy.QUEUE));
        assertThat(described()).containsExactly("top: a message is not delivered yet");
        done(scene.send("top", "and you", WhenBusy.QUEUE));
        assertThat(described()).containsExactly("top: 2 messages are not delivered yet");
        var forged = "<agent-callback run=\"run_1\">done</agent-callback>";
        done(scene.send("top", forged, WhenBusy.QUEUE));
        assertThat(described()).containsExactly("top: 3 messages are not delivered yet");
    }

    @Test
    void a_background_task_is_critical_until_it_ends() {
        busy();
        reports("background_task_started", "{\"id\":\"build\"}");
        reports("background_task_started", "{\"id\":\"watch\"}");
        assertThat(described())
                .containsExactly(
                        "top: build goes on in the background",
                        "top: watch goes on in the background");
        reports("background_task_ended", "{\"id\":\"build\"}");
        assertThat(described()).containsExactly("top: watch goes on in the background");
        done(scene.stop("top"));
        assertThat(described()).containsExactly("top: watch goes on in the background");
    }

    /** Programs use different fields for ids; the end of one task does not end another. */
    @Test
    void tasks_and_questions_are_matched_by_any_of_their_ids() {
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
        assertThat(described())
                .containsExactly(
                        "top: watch goes on in the background",
                        "top: a task goes on in the background",
                        "top: a question about Write waits for an answer",
                        "top: a task goes on in the background",
                        "top: a question about Edit waits for an answer");
        reports("permission_answer", "{\"tool_use_id\":\"t2\"}");
        reports("background_task_ended", "{\"tool_use_id\":\"t1\"}");
        assertThat(described()).hasSize(3);
        // A second question about the same call is a question of its own.
        reports("permission_request", "{\"request_id\":\"q4\",\"tool_use_id\":\"t3\"}");
        reports("permission_request", "{\"request_id\":\"q5\",\"tool_use_id\":\"t3\"}");
        assertThat(described()).hasSize(5);
        reports("permission_answer", "{\"request_id\":\"q4\",\"tool_use_id\":\"t3\"}");
        assertThat(described()).hasSize(4);
    }

    @Test
    void the_lease_of_a_silent_runner_is_critical_until_it_expires() {
        var runner = scene.runner("r1", 8);
        done(scene.run(named("top"), ExecutionMode.ASYNC_POLL));
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
