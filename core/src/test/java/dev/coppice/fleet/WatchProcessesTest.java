package dev.coppice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.fleet.WatchProcesses.Found;
import dev.coppice.kernel.SessionId;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.outside.OutsideProcess.Consent;
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Profile;
import dev.coppice.session.SessionState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Processes of programs that Coppice did not start: claims, consent, stops and ends. */
class WatchProcessesTest {
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Scene scene = new Scene();
    private final WatchProcesses watch = scene.rules.watchProcesses;
    private final SessionId one = observed("one");
    private final SessionId two = observed("two");

    @BeforeEach
    void runner() {
        scene.runner("r", 1);
    }

    private SessionId observed(String id) {
        return observed(id, ParentReference.NONE);
    }

    private SessionId observed(String id, ParentReference parent) {
        var profile = Profile.observed("app", id);
        var asked = new NewSession(new SessionId(id), id, null, parent, profile, Limits.NONE);
        var state = new SessionState.Running(scene.clock.instant());
        written(() -> scene.rules.startSession.observe(asked, new SessionId(id), state));
        return new SessionId(id);
    }

    private <T> T written(Supplier<T> work) {
        return scene.store.write(work);
    }

    private String host() {
        return written(() -> scene.rules.store.runners().all()).getFirst().post().hostname();
    }

    private boolean claims(SessionId session, long pid) {
        return written(() -> watch.claimed(session, host(), pid, "codex"));
    }

    private void finds(SessionId session, long pid, @Nullable String start) {
        written(() -> {
            watch.found(host(), List.of(new Found(session, pid, start)));
            return 0;
        });
    }

    private void adopts(SessionId session, long pid, Consent consent) {
        var process = new OutsideProcess(session, host(), pid, "boot:1", "codex", consent, null);
        written(() -> Scene.done(watch.adopt(process)));
    }

    private Optional<OutsideProcess> process(SessionId session) {
        return written(() -> scene.rules.store.outside().of(session));
    }

    private SessionState state(SessionId session) {
        return written(() -> scene.rules.store.sessions().find(session)).orElseThrow().state();
    }

    private void stops(SessionId session) {
        Scene.done(scene.rules.stop.stop(session, GRACE, "enough"));
    }

    private @Nullable Duration left(SessionId session) {
        return process(session).map(p -> written(() -> watch.endsWithin(p))).orElse(null);
    }

    @Test
    void a_session_ends_with_its_process_once_a_runner_has_seen_that() {
        claims(one, 7);
        finds(one, 7, "boot:1");
        finds(one, 7, null);
        assertThat(state(one)).isInstanceOf(SessionState.Finished.class);
        assertThat(process(one)).isEmpty();
    }

    @Test
    void the_agents_of_a_process_end_with_it_and_another_program_below_does_not() {
        var agent = observed("agent", ParentReference.of(one));
        var program = observed("program", ParentReference.of(agent));
        var below = observed("below", ParentReference.of(program));
        claims(one, 7);
        claims(program, 8);
        finds(one, 7, "boot:1");
        finds(one, 7, null);
        assertThat(state(agent)).isInstanceOf(SessionState.Finished.class);
        assertThat(state(program)).isInstanceOf(SessionState.Running.class);
        assertThat(state(below)).isInstanceOf(SessionState.Running.class);
    }

    @Test
    void a_claim_that_no_runner_confirms_ends_nothing() {
        claims(one, 7);
        finds(one, 7, null);
        assertThat(process(one)).isEmpty();
        assertThat(state(one)).isInstanceOf(SessionState.Running.class);
    }

    @Test
    void a_claim_takes_no_process_from_a_session_that_lives() {
        adopts(one, 7, Consent.STOP);
        claims(two, 7);
        assertThat(process(two)).isEmpty();
        assertThat(process(one).orElseThrow().mayStop()).isTrue();
        var taken = new OutsideProcess(two, host(), 7, "boot:1", "codex", Consent.STOP, null);
        Scene.refused(written(() -> watch.adopt(taken)));
        written(() -> scene.rules.stop.programEnded(one, "finished"));
        claims(two, 7);
        assertThat(process(two).orElseThrow().mayStop()).as("consent is for one session").isFalse();
        assertThat(process(two).orElseThrow().start()).as("nobody has looked").isNull();
    }

    @Test
    void a_claim_undoes_nothing_that_a_person_decided() {
        adopts(one, 7, Consent.STOP);
        claims(one, 8);
        stops(one);
        claims(one, 9);
        assertThat(process(one).orElseThrow().pid()).isEqualTo(7);
        finds(one, 7, null);
        assertThat(state(one)).isInstanceOf(SessionState.Stopped.class);
    }

    /** The process of any sender became the one whose prompt ends a person's stop. */
    @Test
    void a_claim_takes_no_place_of_a_confirmed_process_and_none_counts_during_a_stop() {
        claims(one, 7);
        finds(one, 7, "boot:1");
        assertThat(claims(one, 8)).isFalse();
        assertThat(process(one).orElseThrow().pid()).isEqualTo(7);
        stops(two);
        assertThat(claims(two, 9)).isFalse();
        assertThat(process(two)).isEmpty();
        finds(one, 7, null);
        assertThat(claims(one, 8)).as("the confirmed process has ended").isTrue();
        assertThat(process(one).orElseThrow().pid()).isEqualTo(8);
    }

    @Test
    void a_session_that_coppice_runs_has_no_claims() {
        Scene.done(scene.run(Scene.named("ours")));
        var ours = scene.look("ours").id();
        claims(ours, 7);
        assertThat(process(ours)).isEmpty();
    }

    @Test
    void a_stop_waits_for_the_process_if_the_person_allows_it() {
        adopts(one, 7, Consent.STOP);
        adopts(two, 8, Consent.WATCH);
        stops(one);
        stops(two);
        assertThat(state(one)).isInstanceOf(SessionState.Stopping.class);
        assertThat(left(one)).isEqualTo(GRACE);
        assertThat(state(two)).isInstanceOf(SessionState.Stopped.class);
        assertThat(left(two)).isNull();
    }

    @Test
    void a_withdrawn_consent_and_an_old_order_end_nothing() {
        adopts(one, 7, Consent.STOP);
        stops(one);
        adopts(one, 7, Consent.WATCH);
        assertThat(left(one)).isNull();
        adopts(two, 8, Consent.STOP);
        stops(two);
        scene.clock.pass(GRACE.plusSeconds(5));
        assertThat(left(two)).isEqualTo(Duration.ZERO);
        scene.clock.pass(Duration.ofMinutes(2));
        assertThat(left(two)).as("the runner comes back late").isNull();
        stops(two);
        assertThat(left(two)).as("asked again").isEqualTo(GRACE);
    }
}
