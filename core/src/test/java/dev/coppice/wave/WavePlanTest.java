package dev.coppice.wave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.wave.Planned.Fate;
import dev.coppice.wave.Planned.State;
import dev.coppice.wave.WaveMember.Progress;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

class WavePlanTest {
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");

    private static Wave wave(@Nullable Integer concurrency, Duration stagger) {
        return new Wave("w", "w", null, concurrency, stagger, JsonText.EMPTY_OBJECT, false, T);
    }

    private static Planned member(String name, State state, String... follows) {
        var session = state == State.STARTED ? new SessionId(name) : null;
        return new Planned(
                name,
                null,
                null,
                List.of(follows),
                JsonText.EMPTY_OBJECT,
                new Fate(state, session, T, null));
    }

    private static Planned below(String parent, String name) {
        return new Planned(name, null, parent, List.of(), JsonText.EMPTY_OBJECT, Fate.waiting(T));
    }

    private static WavePlan plan(Planned... members) {
        return new WavePlan(wave(null, Duration.ZERO), List.of(members));
    }

    /** The next steps as words: a name, or a name with the reason why it never starts. */
    private static List<String> next(WavePlan plan, Map<String, Progress> now, Instant at) {
        return plan.next(now, at).stream()
                .map(step ->
                        switch (step) {
                            case WavePlan.Step.Start(var member) -> member.name();
                            case WavePlan.Step.Skip(var member, var why) ->
                                    member.name() + ": " + why;
                        })
                .toList();
    }

    @Test
    void members_without_needs_start_at_once() {
        var plan = plan(member("a", State.WAITING), member("b", State.WAITING));
        assertThat(next(plan, Map.of(), T)).containsExactly("a", "b");
    }

    @Test
    void a_member_starts_when_all_that_it_follows_have_finished() {
        var plan =
                plan(
                        member("a", State.STARTED),
                        member("b", State.STARTED),
                        member("c", State.WAITING, "a", "b"));
        assertThat(next(plan, Map.of("a", Progress.DONE, "b", Progress.BUSY), T)).isEmpty();
        assertThat(next(plan, Map.of("a", Progress.DONE, "b", Progress.DONE), T))
                .containsExactly("c");
    }

    @Test
    void a_member_never_starts_after_one_that_did_not_finish() {
        var plan =
                plan(
                        member("a", State.STARTED),
                        member("b", State.SKIPPED),
                        member("after-a", State.WAITING, "a"),
                        member("after-b", State.WAITING, "b"));
        assertThat(next(plan, Map.of("a", Progress.FAILED), T))
                .containsExactly("after-a: a did not finish", "after-b: b was skipped");
        assertThat(next(plan, Map.of(), T)).first().isEqualTo("after-a: a was removed");
    }

    @Test
    void a_member_below_another_starts_once_that_one_has_a_session() {
        var waiting = plan(member("top", State.WAITING), below("top", "leaf"));
        assertThat(next(waiting, Map.of(), T)).containsExactly("top");
        var started = plan(member("top", State.STARTED), below("top", "leaf"));
        assertThat(next(started, Map.of("top", Progress.BUSY), T)).containsExactly("leaf");
        assertThat(next(started, Map.of("top", Progress.FAILED), T)).containsExactly("leaf");
    }

    @Test
    void no_more_are_busy_at_once_than_the_wave_allows() {
        var members =
                List.of(
                        member("a", State.STARTED),
                        member("b", State.WAITING),
                        member("c", State.WAITING));
        var plan = new WavePlan(wave(2, Duration.ZERO), members);
        assertThat(next(plan, Map.of("a", Progress.BUSY), T)).containsExactly("b");
        assertThat(next(plan, Map.of("a", Progress.DONE), T)).containsExactly("b", "c");
    }

    @Test
    void starts_are_staggered() {
        var members =
                List.of(
                        member("a", State.STARTED),
                        member("b", State.WAITING),
                        member("c", State.WAITING));
        var plan = new WavePlan(wave(null, Duration.ofSeconds(2)), members);
        var busy = Map.of("a", Progress.BUSY);
        assertThat(next(plan, busy, T.plusMillis(1999))).isEmpty();
        assertThat(next(plan, busy, T.plusMillis(2000))).containsExactly("b");
    }

    @Test
    void levels_follow_needs_and_circles_have_none() {
        var plan =
                plan(
                        member("c", State.WAITING, "b"),
                        member("b", State.WAITING, "a"),
                        member("a", State.WAITING),
                        below("c", "d"));
        assertThat(plan.levels()).containsEntry("a", 0).containsEntry("b", 1).containsEntry("d", 3);
        assertThat(plan(member("a", State.WAITING, "b"), member("b", State.WAITING, "a")).levels())
                .isEmpty();
        assertThat(plan(member("a", State.WAITING, "nobody")).levels()).isEmpty();
    }

    private static WaveMember worked(String name, int from, @Nullable Integer to, String state) {
        var end = to == null ? null : T.plusSeconds(to);
        return new WaveMember(
                new SessionId(name),
                name,
                null,
                state,
                null,
                new WaveMember.Span(T.plusSeconds(from), end),
                10,
                5);
    }

    private static WaveReport report(List<Planned> planned, WaveMember... members) {
        return new WaveReport(
                wave(null, Duration.ZERO), planned, List.of(members), T.plusSeconds(100));
    }

    @Test
    void a_report_measures_wall_work_and_efficiency() {
        var report =
                report(
                        List.of(),
                        worked("a", 0, 10, "finished"),
                        worked("b", 0, 20, "idle"),
                        worked("c", 10, 20, "failed"));
        assertThat(report.wall()).isEqualTo(Duration.ofSeconds(20));
        assertThat(report.work()).isEqualTo(Duration.ofSeconds(40));
        assertThat(report.peak()).isEqualTo(2);
        assertThat(report.efficiency()).isEqualTo(1);
        assertThat(report.counts()).isEqualTo(new WaveReport.Counts(0, 0, 2, 1, 0, 0));
        assertThat(report.counts().state()).isEqualTo(WaveReport.State.FAILED);
        assertThat(report.slowest()).extracting(WaveMember::name).isEqualTo("b");
        assertThat(report.tokens()).isEqualTo(30);
        assertThat(report(List.of()).counts().state()).isEqualTo(WaveReport.State.EMPTY);
        assertThat(report(List.of()).efficiency()).isZero();
        assertThat(report(List.of(), worked("a", 90, null, "running")).wall())
                .isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void the_critical_path_is_the_slowest_chain_of_needs() {
        var planned =
                List.of(
                        member("a", State.STARTED),
                        member("b", State.STARTED),
                        member("c", State.STARTED, "a", "b"),
                        member("long", State.STARTED));
        var report =
                report(
                        planned,
                        worked("a", 0, 5, "finished"),
                        worked("b", 0, 9, "finished"),
                        worked("c", 9, 12, "finished"),
                        worked("long", 0, 11, "finished"));
        assertThat(report.criticalPath())
                .extracting(WaveReport.Timed::name)
                .containsExactly("b", "c");
    }

    @Test
    void a_removed_member_is_counted_as_lost() {
        var report = report(List.of(member("a", State.STARTED), member("b", State.CANCELLED)));
        assertThat(report.counts()).isEqualTo(new WaveReport.Counts(0, 0, 0, 0, 1, 1));
    }

    @Test
    void children_whose_work_overlaps_are_a_wave() {
        var children =
                List.of(
                        worked("a", 0, 10, "finished"),
                        worked("b", 5, 8, "finished"),
                        worked("c", 9, 15, "finished"),
                        worked("alone", 15, 16, "finished"),
                        worked("d", 20, null, "running"),
                        worked("e", 90, null, "running"));
        var waves = DerivedWaves.among(children, T.plusSeconds(100));
        assertThat(waves)
                .extracting(wave -> wave.members().stream().map(WaveMember::name).toList())
                .isEqualTo(Arrays.asList(List.of("d", "e"), List.of("a", "b", "c")));
        assertThat(DerivedWaves.firstMember(waves.getLast().wave().id()))
                .contains(new SessionId("a"));
    }
}
