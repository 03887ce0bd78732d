package dev.coppice.removal;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.audit.Act;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Profile;
import dev.coppice.word.Choice;
import dev.coppice.word.ExecutionMode;
import dev.coppice.work.InspectedWork;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The digest of a plan, and removals whose plan is outdated. */
class PlanTest {
    private static final Act.Who WHO = new Act.Who("tester", "operator");
    private static final SessionId TOP = new SessionId("top");
    private final Scene scene = new Scene();
    private final RunnerId runner = scene.runner("r1", 8);

    @AfterEach
    void nothingIsLeft() {
        scene.assertNothingIsLeft();
    }

    private static Choices choices(Choice.Children children, Choice.Running running) {
        return new Choices(
                children,
                running,
                Choice.Critical.REFUSE,
                Choice.Purge.LATER,
                Choice.Unreachable.WAIT,
                Choices.DEADLINE,
                Choices.Preservation.ALL);
    }

    private static final Choices STOPPING = choices(Choice.Children.CASCADE, Choice.Running.STOP);

    private void tree() {
        done(scene.run(named("top"), ExecutionMode.ASYNC_POLL));
        done(scene.finished(claimed(), "done"));
        done(scene.run(below("top", "kid"), ExecutionMode.ASYNC_POLL));
        done(scene.confirmed(scene.claim(runner).orElseThrow()));
    }

    private dev.coppice.fleet.ClaimRun.Claim claimed() {
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        return claim;
    }

    private String digest(Choices choices) {
        return done(scene.rules.planRemoval.plan(TOP, choices, InspectedWork.NOTHING)).digest();
    }

    private RemoveTree.Request request(Choices choices, String confirm) {
        return new RemoveTree.Request(choices, WHO, "because", confirm, InspectedWork.NOTHING);
    }

    @Test
    void the_digest_covers_members_choices_and_obstacles_but_no_counter_or_age() {
        tree();
        var before = digest(STOPPING);
        scene.clock.pass(Duration.ofSeconds(3));
        scene.store.write(() -> {
            var fact = new Fact.Reported("note", new JsonText("{\"text\":\"hey\"}"));
            scene.store.journal().append(TOP, null, fact, scene.clock.instant());
            return fact;
        });
        done(scene.resume("top"));
        done(scene.finished(claimed(), "done again"));
        assertThat(digest(STOPPING)).as("more events, another run, later").isEqualTo(before);
        assertThat(digest(choices(Choice.Children.CASCADE, Choice.Running.REFUSE)))
                .as("another choice, and an obstacle")
                .isNotEqualTo(before);
        scene.critical.add(new RemovalPlan.Critical("kid", "Bash has not returned"));
        assertThat(digest(STOPPING)).as("a critical operation").isNotEqualTo(before);
        scene.critical.clear();
        done(scene.session(below("kid", "leaf")));
        assertThat(digest(STOPPING)).as("another member").isNotEqualTo(before);
    }

    /** Such a removal stopped everything, and then could not preserve the work. */
    @Test
    void a_plan_objects_to_work_that_a_runner_cannot_look_at_unless_it_is_discarded() {
        tree();
        var failures = Map.of("host", "a path is too long");
        var seen = InspectedWork.of(List.of(), List.of("host"), failures);
        var plan = done(scene.rules.planRemoval.plan(TOP, STOPPING, seen));
        assertThat(plan.objections())
                .extracting(RemovalRefusal.Objection::said)
                .containsExactly("unsaved work cannot be inspected on 'host' (a path is too long)");
        var discarding =
                new Choices(
                        Choice.Children.CASCADE,
                        Choice.Running.STOP,
                        Choice.Critical.REFUSE,
                        Choice.Purge.LATER,
                        Choice.Unreachable.WAIT,
                        Choices.DEADLINE,
                        new Choices.Preservation(
                                Choice.Work.DISCARD,
                                Choice.Backup.YES,
                                Choice.Ignored.LIST,
                                Choice.Directories.MADE));
        assertThat(done(scene.rules.planRemoval.plan(TOP, discarding, seen)).objections())
                .isEmpty();
    }

    @Test
    void a_plan_counts_ends_that_are_owed_to_the_parent_outside() {
        done(scene.run(named("boss"), ExecutionMode.ASYNC_POLL));
        claimed();
        done(scene.run(below("boss", "hand"), ExecutionMode.ASYNC_CALLBACK));
        assertThat(owedBy("hand")).isZero();
        done(scene.finished(claimed(), "done"));
        assertThat(owedBy("hand")).isOne();
        assertThat(owedBy("boss")).isZero();
    }

    private int owedBy(String session) {
        var plan =
                scene.rules.planRemoval.plan(
                        new SessionId(session), STOPPING, InspectedWork.NOTHING);
        return done(plan).owed();
    }

    @Test
    void a_confirmed_plan_is_checked_again_after_the_fence() {
        tree();
        var removal = done(scene.rules.removeTree.begin(TOP, request(STOPPING, digest(STOPPING))));
        scene.critical.add(new RemovalPlan.Critical("kid", "Bash has not returned"));
        for (int i = 0; i < 20; i++) scene.rules.removalSteps.advance();
        var now = scene.store.read(() -> scene.store.removals().find(removal.id()).orElseThrow());
        assertThat(now.state()).isInstanceOf(RemovalState.TakenBack.class);
        assertThat(now.state().why())
                .isEqualTo(
                        "the tree changed after it was confirmed: it has 1 critical operation:"
                                + " 'kid': Bash has not returned");
        assertThat(scene.look("kid").state().isAlive()).isTrue();
        scene.critical.clear();
        done(scene.run(below("kid", "leaf"), ExecutionMode.ASYNC_POLL));
    }

    @Test
    void a_cascade_is_logged_with_the_count_and_names_of_its_members() {
        tree();
        var logged = logged(() -> {});
        assertThat(logged)
                .singleElement()
                .satisfies(record -> {
                    assertThat(record.getLevel()).isEqualTo(Level.INFO);
                    assertThat(List.of(record.getParameters()).toString())
                            .contains("top", "1", "kid");
                });
    }

    @Test
    void a_large_cascade_logs_every_member_over_several_lines() {
        var wide = Limits.NONE.with(Limits.Kind.DESCENDANTS, 200);
        done(
                scene.session(
                        new NewSession(
                                TOP, "top", null, ParentReference.NONE, Profile.EMPTY, wide)));
        var names = new ArrayList<String>(List.of("top"));
        for (int i = 0; names.size() < 120; i++) {
            for (int kid = 0; kid < 5; kid++) {
                var name = "kid" + names.size();
                done(scene.session(below(names.get(i), name)));
                names.add(name);
            }
        }
        for (var name : names.reversed()) done(scene.stop(name));
        var logged =
                logged(() -> {
                    for (int i = 0; i < 100; i++) {
                        scene.rules.removalSteps.advance();
                        scene.rules.removalSteps.backUp();
                    }
                });
        var named =
                logged.stream()
                        .filter(r -> r.getMessage().contains("removes these sessions"))
                        .map(r -> List.of(r.getParameters()).toString() + ",")
                        .toList()
                        .toString();
        for (var name : names) assertThat(named).containsPattern(name + "\\b");
    }

    /** The log records of the start of the removal and of the given actions. */
    private List<LogRecord> logged(Runnable then) {
        var logged = new ArrayList<LogRecord>();
        var log = Logger.getLogger("removal");
        var handler = collecting(logged);
        log.addHandler(handler);
        try {
            done(scene.rules.removeTree.begin(TOP, request(STOPPING, digest(STOPPING))));
            then.run();
        } finally {
            log.removeHandler(handler);
        }
        return logged;
    }

    /** Other classes of tests, on other threads, log to the same logger. */
    private static Handler collecting(List<LogRecord> records) {
        long own = Thread.currentThread().threadId();
        return new Handler() {
            @Override
            public void publish(LogRecord record) {
                if (record.getLongThreadID() == own) records.add(record);
            }

            @Override
            public void flush() {
                // Nothing is buffered.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    /** A detached child keeps the hidden removals below it; all others go with the parent. */
    @Test
    void a_plan_with_detach_names_only_the_earlier_removals_that_go_with_the_parent() {
        for (var name : List.of("above", "stays", "goes", "deep")) {
            var parent = name.equals("deep") ? "stays" : "above";
            done(
                    scene.run(
                            name.equals("above") ? named(name) : below(parent, name),
                            ExecutionMode.ASYNC_POLL));
            done(scene.finished(claimed(), "done"));
        }
        var goes =
                done(scene.rules.removeTree.begin(new SessionId("goes"), plain(Choices.CAREFUL)));
        done(scene.rules.removeTree.begin(new SessionId("deep"), plain(Choices.CAREFUL)));
        for (int i = 0; i < 20; i++) {
            scene.rules.removalSteps.advance();
            scene.rules.removalSteps.backUp();
        }
        var above = new SessionId("above");
        var detaching = choices(Choice.Children.DETACH, Choice.Running.STOP);
        var plan = done(scene.rules.planRemoval.plan(above, detaching, InspectedWork.NOTHING));
        assertThat(plan.earlier()).extracting(Removal::id).containsExactly(goes.id());
        var now =
                new Choices(
                        Choice.Children.DETACH,
                        Choice.Running.STOP,
                        Choice.Critical.REFUSE,
                        Choice.Purge.NOW,
                        Choice.Unreachable.WAIT,
                        Choices.DEADLINE,
                        Choices.Preservation.ALL);
        assertThat(Scene.refused(scene.rules.removeTree.begin(above, plain(now))).said())
                .contains("can still be undone", goes.id().value());
    }

    private static RemoveTree.Request plain(Choices choices) {
        return new RemoveTree.Request(choices, WHO, "because", null, InspectedWork.NOTHING);
    }
}
