package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.health.Glance;
import dev.coppice.health.Health;
import dev.coppice.health.Health.Attention;
import dev.coppice.health.Healths;
import dev.coppice.health.Healths.Sample;
import dev.coppice.health.LastWords;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.wiring.Store;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The health of sessions, on both databases: plan has draft. */
class HealthsTest {
    private static final Instant T = Given.T;
    private static final Session PLAN = Given.root("plan");
    private static final Session DRAFT = Given.child(PLAN, "draft");

    private static void write(Store store, Runnable work) {
        store.transactions()
                .write(() -> {
                    work.run();
                    return 0;
                });
    }

    private static Store grown(Stores.Opened opened) {
        var store = opened.store();
        write(
                store,
                () -> {
                    store.sessions().add(PLAN);
                    store.sessions().add(DRAFT);
                    store.sessions().save(Given.in(PLAN, new SessionState.Running(T)));
                    store.sessions().save(Given.in(DRAFT, new SessionState.Running(T)));
                });
        return store;
    }

    private static void tell(Store store, Session session, String type, String body, Instant at) {
        var fact = new Fact.Reported(type, new JsonText(body));
        write(store, () -> store.journal().append(session.id(), null, fact, at));
    }

    private static Health health(Store store, Healths healths, Session session, Instant now) {
        return store.transactions().read(() -> healths.find(session.id(), now)).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void attention_follows_from_state_events_and_silence(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = grown(opened);
            var healths = new SqlHealths(store.sessions());
            var later = T.plus(Duration.ofMinutes(6));
            assertThat(health(store, healths, DRAFT, later).attention(later))
                    .isEqualTo(Attention.SILENT);
            // Its child is at work for it.
            assertThat(health(store, healths, PLAN, later).attention(later))
                    .isEqualTo(Attention.WORKING);
            for (int i = 0; i < 4; i++) tell(store, DRAFT, "PostToolUseFailure", "{}", later);
            var burning = health(store, healths, DRAFT, later);
            assertThat(burning.errorRate()).isEqualTo(1);
            assertThat(burning.attention(later)).isEqualTo(Attention.BURNING);
            tell(store, DRAFT, "PermissionRequest", "{\"tool_name\":\"Bash\"}", later);
            var asking = health(store, healths, DRAFT, later);
            assertThat(asking.attention(later)).isEqualTo(Attention.ASKS);
            assertThat(asking.recent().getFirst())
                    .isEqualTo(new Glance("PermissionRequest", later, "Bash", null, true));
            tell(store, DRAFT, "PreToolUse", "{\"tool_name\":\"Bash\"}", later);
            tell(store, DRAFT, "x", "{\"humanInTheLoop\":{\"question\":\"?\"}}", later);
            assertThat(health(store, healths, DRAFT, later).attention(later))
                    .isEqualTo(Attention.ASKS);
            var failed = Given.in(DRAFT, new SessionState.Failed(later, "broke"));
            write(store, () -> store.sessions().save(failed));
            assertThat(health(store, healths, DRAFT, later).attention(later))
                    .isEqualTo(Attention.FAILED);
        }
    }

    /** A thousand of a megabyte each were read whole at each look for alerts, and ended it. */
    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void of_a_large_question_only_the_beginning_is_read(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = grown(opened);
            var healths = new SqlHealths(store.sessions());
            var body =
                    "{\"humanInTheLoop\":{\"question\":\"go?\"},\"more\":{\"x\":[\"%s\"]},\"last\":1}"
                            .formatted("y".repeat(900_000));
            tell(store, DRAFT, "x", body, T);
            var found = store.transactions().read(() -> healths.questions(null));
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().session()).isEqualTo(DRAFT.id());
            assertThat(found.getFirst().body().value())
                    .isEqualTo("{\"humanInTheLoop\":{\"question\":\"go?\"},\"more\":{\"x\":[]}}");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void live_sessions_and_late_failures_are_listed(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = grown(opened);
            var healths = new SqlHealths(store.sessions());
            var failed = Given.in(DRAFT, new SessionState.Failed(T, "broke"));
            write(store, () -> store.sessions().save(failed));
            var soon = T.plusSeconds(10);
            assertThat(active(store, healths, soon)).containsExactly("draft", "plan");
            assertThat(active(store, healths, T.plus(Duration.ofHours(2)))).containsExactly("plan");
            assertThat(store.transactions().read(() -> healths.sum(null, T)))
                    .isEqualTo(new Healths.Sum(1, 0, 1, 0, 0));
            assertThat(store.transactions().read(() -> healths.sum(DRAFT.id(), soon)).failed())
                    .isZero();
            assertThat(
                            store
                                    .transactions()
                                    .read(() -> healths.active(DRAFT.id(), T, soon, 9))
                                    .stream()
                                    .map(h -> h.session().name()))
                    .containsExactly("draft");
        }
    }

    private static List<String> active(Store store, Healths healths, Instant now) {
        var since = now.minus(Duration.ofHours(1));
        return store.transactions().read(() -> healths.active(null, since, now, 9)).stream()
                .map(health -> health.session().name())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void what_is_printed_is_a_sign_of_life_and_the_last_words_are_told(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = grown(opened);
            var healths = new SqlHealths(store.sessions());
            var run = Given.run("run_1", DRAFT);
            var printedAt = T.plus(Duration.ofMinutes(5));
            write(
                    store,
                    () -> {
                        store.runners().save(Given.runner("r"));
                        store.runs().add(run);
                        var lease = Given.lease("r", 1, T.plusSeconds(60));
                        store.runs().save(Given.in(run, new RunState.Running(lease, T)));
                        var printed = new LastWords.Printed("90 %", printedAt);
                        for (var each : Arrays.asList(printed, null)) {
                            var sample = new Sample(run.id(), 1, 1, 1, 1, each);
                            healths.sample(new RunnerId("r"), List.of(sample), printedAt);
                        }
                    });
            tell(store, PLAN, "message", "{\"content\":\"%s\"}".formatted("é".repeat(99_000)), T);
            tell(store, DRAFT, "x", "{}", T);
            tell(store, DRAFT, "PermissionRequest", "{\"tool_name\":\"Bash\"}", T);
            var later = T.plus(Duration.ofMinutes(6));
            assertThat(health(store, healths, DRAFT, later).silence(later))
                    .isEqualTo(Duration.ofMinutes(1));
            var words = store.transactions().read(() -> healths.lastWords(DRAFT.id()));
            assertThat(words.printed()).isEqualTo(new LastWords.Printed("90 %", printedAt));
            assertThat(words.events().stream().map(LastWords.Sent::type))
                    .containsExactly("PermissionRequest", "x");
            assertThat(words.result()).isNull();
            // A long event is cut, and is JSON all the same.
            var cut = store.transactions().read(() -> healths.lastWords(PLAN.id())).events();
            assertThat(cut.getFirst().body().value()).hasSizeLessThan(70_000).endsWith("}");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void samples_of_held_runs_are_summed_over_the_tree(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = grown(opened);
            var healths = new SqlHealths(store.sessions());
            var runner = new RunnerId("r");
            var own = Given.run("run_1", PLAN);
            var below = Given.run("run_2", DRAFT);
            write(
                    store,
                    () -> {
                        store.runners().save(Given.runner("r"));
                        for (var run : List.of(own, below)) {
                            store.runs().add(run);
                            store.runs()
                                    .save(
                                            Given.in(
                                                    run,
                                                    new RunState.Running(
                                                            Given.lease("r", 1, T.plusSeconds(60)),
                                                            T)));
                        }
                        healths.sample(
                                runner,
                                List.of(
                                        new Sample(own.id(), 1_000, 50, 2, 7, null),
                                        new Sample(below.id(), 500, 20, 1, 3, null),
                                        new Sample(new RunId("run_9"), 1, 1, 1, 1, null)),
                                T);
                        healths.sample(
                                new RunnerId("other"),
                                List.of(new Sample(own.id(), 9, 9, 9, 9, null)),
                                T);
                        healths.sample(
                                runner,
                                List.of(new Sample(own.id(), 3_000, 40, 1, 5, null)),
                                T.plusSeconds(4));
                    });
            var now = T.plusSeconds(5);
            var use = health(store, healths, PLAN, now).use();
            assertThat(use.cpuMillis()).isEqualTo(3_000);
            assertThat(use.cpuShare()).isBetween(0.49, 0.51);
            assertThat(use.memoryBytes()).isEqualTo(40);
            assertThat(use.memoryPeak()).isEqualTo(50);
            var tree = store.transactions().read(() -> healths.below(PLAN.id(), now));
            assertThat(tree.cpuMillis()).isEqualTo(3_500);
            assertThat(tree.processes()).isEqualTo(2);
            assertThat(tree.openFiles()).isEqualTo(8);
            var later = T.plusSeconds(60);
            assertThat(health(store, healths, PLAN, later).use().processes()).isZero();
        }
    }
}
