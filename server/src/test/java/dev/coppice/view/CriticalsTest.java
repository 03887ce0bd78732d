package dev.coppice.view;

import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.RemovalPlan.Critical;
import dev.coppice.run.Mode;
import dev.coppice.scene.Scene;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** What the coordinator itself knows of that must not be broken off. */
class CriticalsTest {
    private final Scene scene = new Scene();
    private final Criticals criticals =
            new Criticals(
                    scene.store.sessions(),
                    scene.store.journal(),
                    scene.store.callbacks(),
                    scene.store.runs(),
                    scene.store.runners(),
                    scene.clock);

    private List<Critical> found() {
        return scene.store.read(
                () -> criticals.of(new SessionId("top"), Choices.Children.CASCADE, 10));
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
