package dev.coppice.run;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.fleet.RenewLeases;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.Limits.Kind;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Profile;
import dev.coppice.word.WhenBusy;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** Limits on the bytes that a tree may store. */
class TreeQuotaTest {
    private static final String FIFTY = "{\"said\":\"%s\"}".formatted("x".repeat(39));
    private final Scene scene = new Scene();

    private static NewSession root(Limits limits) {
        return new NewSession(
                new SessionId("top"), "top", null, ParentReference.NONE, Profile.EMPTY, limits);
    }

    private Outcome<SessionId> reported(String session) {
        return scene.store.write(() ->
                new ReportEvent(scene.rules.ports)
                        .report(new SessionId(session), "note", new JsonText(FIFTY), null));
    }

    @Test
    void the_events_of_all_sessions_of_a_tree_count_together() {
        done(scene.session(root(Limits.NONE.with(Kind.EVENT_BYTES, 120))));
        done(scene.session(below("top", "kid")));
        done(reported("top"));
        done(reported("kid"));
        assertThat(refused(reported("kid")).said())
                .isEqualTo(
                        "The limit 'event_bytes' of 120 bytes, set by session 'top' ('top'),"
                                + " would be exceeded: there would be 150 bytes");
        done(scene.session(named("other")));
        done(reported("other"));
    }

    @Test
    void metadata_parameters_and_messages_count_together() {
        done(scene.run(root(Limits.NONE.with(Kind.METADATA_BYTES, 100))));
        done(scene.run(below("top", "kid")));
        done(scene.send("top", "x".repeat(60), WhenBusy.QUEUE));
        assertThat(refused(scene.send("top", "x".repeat(60), WhenBusy.QUEUE)).said())
                .contains("'metadata_bytes' of 100 bytes", "session 'top' ('top')");
        var before = scene.look("kid");
        var after = before.with(before.profile().describedBy(new JsonText(FIFTY)));
        assertThat(scene.store.read(() -> scene.rules.ports.room().forbidsChange(before, after)))
                .isPresent();
        assertThat(scene.store.read(() -> scene.rules.ports.room().forbidsChange(after, before)))
                .isEmpty();
    }

    /** The runner is told to end a run that prints too much. */
    @Test
    void a_tree_that_has_printed_too_much_starts_no_run() {
        var runner = scene.runner("r1", 8);
        done(scene.run(root(Limits.NONE.with(Kind.OUTPUT_BYTES, 1_000))));
        var claim = scene.claim(runner).orElseThrow();
        assertThat(claim.limits().of(Kind.OUTPUT_BYTES)).isEqualTo(1_000);
        done(scene.confirmed(claim));
        long fence = claim.lease().holder().fence();
        var run = claim.run().id();
        var much = Map.of(run, new RenewLeases.Held(fence, true, 1_000));
        assertThat(done(scene.rules.renew.renew(runner, much)).overfull()).isEmpty();
        var more = Map.of(run, new RenewLeases.Held(fence, true, 1_001));
        assertThat(done(scene.rules.renew.renew(runner, more)).overfull()).containsExactly(run);
        assertThat(refused(scene.run(below("top", "kid"))).said())
                .contains("'output_bytes' of 1000 bytes");
        done(scene.finished(claim, "done"));
        assertThat(refused(scene.resume("top")).said()).contains("'output_bytes' of 1000 bytes");
    }

    @Test
    void limits_of_a_whole_tree_can_be_set_only_at_its_root() {
        for (var kind : Kind.values()) {
            done(scene.session(named("top-" + kind)));
            var asked =
                    scene.session(below("top-" + kind, "kid-" + kind, Limits.NONE.with(kind, 3)));
            boolean isRefused = asked instanceof Outcome.Refused<?>;
            assertThat(isRefused).as(kind.word()).isEqualTo(kind.isOfWholeTree());
            if (isRefused) {
                assertThat(refused(asked).said()).contains("limits." + kind.word(), "at its root");
            }
        }
    }

    @Test
    void a_run_is_bound_by_the_limits_of_all_its_ancestors() {
        var runner = scene.runner("r1", 8);
        done(scene.session(root(Limits.NONE.with(Kind.PROCESSES, 50))));
        done(scene.session(below("top", "mid", Limits.NONE.with(Kind.MEMORY_BYTES, 7))));
        done(scene.run(below("mid", "leaf", Limits.NONE.with(Kind.PROCESSES, 900))));
        var limits = scene.claim(runner).orElseThrow().limits();
        assertThat(limits.of(Kind.PROCESSES)).isEqualTo(50);
        assertThat(limits.of(Kind.MEMORY_BYTES)).isEqualTo(7);
    }
}
