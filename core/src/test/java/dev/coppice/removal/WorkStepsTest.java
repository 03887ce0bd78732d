package dev.coppice.removal;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.audit.Act;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Mode;
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.StartSession;
import dev.coppice.session.TreeRoom;
import dev.coppice.work.Errand;
import dev.coppice.work.Errands;
import dev.coppice.work.WorkItem;
import dev.coppice.work.WorkSeen;
import dev.coppice.work.Workplace;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;

/** Nothing goes before what was promised to be kept is kept. */
class WorkStepsTest {
    private static final Act.Who WHO = new Act.Who("tester", "operator");

    /** A few more than are asked about at once. */
    private static final int SHARERS = 520;

    private final Scene scene = new Scene();

    @AfterEach
    void nothingIsLeft() {
        scene.assertNothingIsLeft();
    }

    private final RunnerId runner = scene.runner("r1", 8);

    private static Choices choosing(Choices.Work work, Choices.Unreachable unreachable) {
        return new Choices(
                Choices.Children.CASCADE,
                Choices.Running.STOP,
                Choices.Critical.REFUSE,
                Choices.Purge.LATER,
                unreachable,
                Choices.DEADLINE,
                new Choices.Keeping(
                        work, Choices.Backup.YES, Errand.Ignored.LIST, Errand.Directories.MADE));
    }

    private static final Choices KEEPING =
            choosing(Choices.Work.PRESERVE, Choices.Unreachable.WAIT);
    private static final Choices DISCARDING =
            choosing(Choices.Work.DISCARD, Choices.Unreachable.WAIT);

    /** A session that has worked in a directory on the host of the runner, and has ended. */
    private void worked() {
        done(scene.run(named("top"), Mode.ASYNC_POLL));
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        done(scene.finished(claim, "done"));
        worksIn("top", "/repo");
        scene.clock.pass(Duration.ofSeconds(1));
    }

    private void worksIn(String who, String directory) {
        worksIn(who, directory, "host");
    }

    private void worksIn(String who, String directory, String host) {
        scene.store.write(() -> {
            var place =
                    new Workplace(
                            new SessionId(who), host, directory, Workplace.Made.BY_OTHERS, "/runs");
            scene.store.errands().note(place);
            return place;
        });
    }

    private static WorkItem found(String fingerprint) {
        return of("top", "/repo", fingerprint);
    }

    private static WorkItem of(String who, String directory, String fingerprint) {
        return new WorkItem(
                "host",
                directory,
                WorkItem.Kind.GIT,
                List.of(who),
                new WorkItem.Counts(1, 0, 0, 0, 0, 10, 0),
                fingerprint,
                new WorkItem.Tip("abc", "main"),
                null,
                List.of(),
                List.of());
    }

    private static WorkSeen seen(String fingerprint) {
        return WorkSeen.of(List.of(found(fingerprint)), List.of());
    }

    private Removal begin(Choices choices, @Nullable String confirm, WorkSeen seen) {
        return begin("top", choices, confirm, seen);
    }

    private Removal begin(String top, Choices choices, @Nullable String confirm, WorkSeen seen) {
        var request = new RemoveTree.Request(choices, WHO, "because", confirm, seen);
        return done(scene.remove.begin(new SessionId(top), request));
    }

    private void goOn() {
        for (int i = 0; i < 50; i++) {
            if (scene.removalSteps.goOn() + scene.removalSteps.backUp() == 0) return;
        }
    }

    private Removal look(Removal removal) {
        return scene.store.read(() -> scene.store.removals().find(removal.id()).orElseThrow());
    }

    /** By a runner that has heard of it, and asks for more. */
    private Errand taken() {
        var errand = scene.doErrands.take("host", runner).getFirst();
        assertThat(scene.doErrands.take("host", runner)).isEmpty();
        return errand;
    }

    /** It was killed while it waited to be told of something. */
    @Test
    void what_a_runner_that_is_gone_was_told_another_one_of_the_host_does_soon() {
        worked();
        begin(KEEPING, null, WorkSeen.NOTHING);
        goOn();
        var other = scene.runner("r2", 8);
        var told = scene.doErrands.take("host", runner).getFirst();
        scene.clock.pass(Duration.ofSeconds(2));
        assertThat(scene.doErrands.take("host", other)).isEmpty();
        scene.clock.pass(Duration.ofSeconds(2));
        assertThat(scene.doErrands.take("host", other))
                .extracting(Errand::id)
                .containsExactly(told.id());
        assertThat(scene.doErrands.take("host", other)).isEmpty();
        scene.clock.pass(Duration.ofMinutes(1));
        assertThat(scene.doErrands.take("host", runner)).as("that one is at it").isEmpty();
        scene.clock.pass(Duration.ofMinutes(1));
        assertThat(scene.doErrands.take("host", runner)).hasSize(1);
    }

    /** The fence is up, and what was confirmed is looked at again. */
    private void looked(WorkItem... found) {
        goOn();
        var errand = taken();
        assertThat(errand.kind()).isEqualTo(Errand.Kind.LOOK);
        done(scene.doErrands.done(errand.id(), List.of(found)));
        goOn();
    }

    @Test
    void it_waits_until_a_runner_has_kept_the_work() {
        worked();
        var removal = begin(KEEPING, null, WorkSeen.NOTHING);
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Preserving.class);
        var errand = taken();
        assertThat(errand.kind()).isEqualTo(Errand.Kind.KEEP);
        assertThat(errand.places()).extracting(Errand.Place::directory).containsExactly("/repo");
        // Told twice, and answered twice: done once.
        scene.clock.pass(Duration.ofSeconds(6));
        assertThat(taken().id()).isEqualTo(errand.id());
        done(scene.doErrands.done(errand.id(), List.of(found("f"))));
        done(scene.doErrands.failed(errand.id(), "too late"));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
    }

    /** More of them than a runner is asked about at once: all find it, and all are printed. */
    @Test
    void however_many_share_a_directory_its_work_is_that_of_each() {
        worked();
        var store = scene.store;
        var tree = new StartSession.Tree(store, store.sessions(), store.journal());
        var room = new TreeRoom(store.sessions(), Limits.DEFAULT);
        var start = new StartSession(tree, room, scene.clock, Ids.from(new Random(1)));
        for (int i = 0; i < SHARERS; i++) {
            done(start.start(below("top", "kid" + i)));
            worksIn("kid" + i, "/repo");
        }
        var removal = begin(KEEPING, null, WorkSeen.NOTHING);
        goOn();
        var printed = new HashSet<String>();
        for (int round = 0; round < SHARERS && !isHidden(removal); round++) {
            for (var errand : scene.doErrands.take("host", runner)) {
                assertThat(errand.kind()).isEqualTo(Errand.Kind.KEEP);
                // The work is there before others are told that it is theirs too.
                assertThat(errand.places())
                        .extracting(Errand.Place::again)
                        .containsOnly(!printed.isEmpty());
                var sessions = errand.places().stream().map(p -> p.session().value()).toList();
                assertThat(printed).doesNotContainAnyElementsOf(sessions);
                printed.addAll(sessions);
                done(scene.doErrands.done(errand.id(), List.of(shared(sessions))));
            }
            scene.clock.pass(Duration.ofSeconds(6));
            goOn();
        }
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        var id = removal.id().value();
        var found =
                scene.store.read(() -> scene.store.errands().found(id, Cursor.first(9)).items());
        assertThat(found)
                .singleElement()
                .satisfies(i -> assertThat(i.sessions()).hasSameElementsAs(printed));
        assertThat(printed).hasSize(SHARERS + 1);
    }

    private static WorkItem shared(List<String> sessions) {
        return in("/repo", sessions, null);
    }

    private static WorkItem in(
            String directory, List<String> sessions, WorkItem.@Nullable Kept kept) {
        var one = found("f");
        return new WorkItem(
                one.host(),
                directory,
                one.kind(),
                sessions,
                one.counts(),
                one.fingerprint(),
                one.tip(),
                kept,
                List.of(),
                List.of());
    }

    /** It told of a repository inside when all that had been asked about was released already. */
    @Test
    void what_is_kept_while_it_is_called_off_is_released_too() {
        worked();
        var removal = begin(KEEPING, null, WorkSeen.NOTHING);
        goOn();
        var keep = taken();
        done(scene.remove.callOff(removal.id(), WHO, "enough"));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.TakenBack.class);
        assertThat(scene.doErrands.take("host", runner)).as("someone is still at it").isEmpty();
        var kept = new WorkItem.Kept("refs/x", "/repo/inside", null, null, 0);
        done(scene.doErrands.done(keep.id(), List.of(in("/repo/inside", List.of("top"), kept))));
        var released =
                scene.doErrands.take("host", runner).stream()
                        .flatMap(e -> e.places().stream())
                        .map(Errand.Place::directory);
        assertThat(released).containsExactly("/repo", "/repo/inside");
    }

    private boolean isHidden(Removal removal) {
        return look(removal).state() instanceof RemovalState.Hidden;
    }

    @Test
    void what_cannot_be_kept_calls_it_off_with_everything_in_place() {
        worked();
        var removal = begin(KEEPING, null, WorkSeen.NOTHING);
        goOn();
        done(scene.doErrands.failed(taken().id(), "the disk is full"));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.TakenBack.class);
        assertThat(look(removal).state().calledOff()).contains("the disk is full");
        assertThat(scene.look("top").standing().removal()).isNull();
    }

    @Test
    void a_host_that_does_not_answer_is_named_or_gone_without_by_a_word_of_its_own() {
        worked();
        var waiting = begin(KEEPING, null, WorkSeen.NOTHING);
        goOn();
        scene.clock.pass(Duration.ofSeconds(61));
        goOn();
        assertThat(look(waiting).state().waitsFor()).contains("no runner", "host");
        done(scene.remove.callOff(waiting.id(), WHO, "enough"));
        goOn();
        var abandoning = choosing(Choices.Work.PRESERVE, Choices.Unreachable.ABANDON);
        var removal = begin(abandoning, null, WorkSeen.NOTHING);
        goOn();
        scene.clock.pass(Duration.ofSeconds(61));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        var id = removal.id().value();
        assertThat(scene.store.read(() -> scene.store.errands().notKept(id, 10)))
                .containsExactly(
                        new Errands.NotKept("host", "no runner was there", List.of("/repo")));
        var audit = scene.store.read(() -> scene.store.audit().list(null, Cursor.first(20)));
        assertThat(audit.items())
                .anyMatch(r -> r.act().what().act().equals("removal.without"))
                .anyMatch(r -> "no runner answered on host".equals(r.act().decision().reason()));
    }

    @Test
    void work_is_thrown_away_only_with_the_digest_of_what_was_seen() {
        worked();
        var without = new RemoveTree.Request(DISCARDING, WHO, "because", null, seen("f"));
        assertThat(refused(scene.remove.begin(new SessionId("top"), without)))
                .isInstanceOf(RemovalRefusal.WorkWouldBeLost.class);
        var plan = done(scene.planner.plan(new SessionId("top"), DISCARDING, seen("f")));
        var other = new RemoveTree.Request(DISCARDING, WHO, "because", plan.digest(), seen("g"));
        assertThat(refused(scene.remove.begin(new SessionId("top"), other)))
                .isInstanceOf(RemovalRefusal.PlanChanged.class);
        var removal = begin(DISCARDING, plan.digest(), seen("f"));
        looked(found("f"));
        var errand = taken();
        assertThat(errand.kind()).isEqualTo(Errand.Kind.LOOK);
        done(scene.doErrands.done(errand.id(), List.of(found("f"))));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
    }

    private void isKeptBeforeItGoes(Removal hidden) {
        assertThat(look(hidden).state()).isInstanceOf(RemovalState.Hidden.class);
        done(scene.remove.purgeNow(hidden.id(), WHO));
        goOn();
        assertThat(taken().kind()).isEqualTo(Errand.Kind.TIDY);
    }

    /** Nothing was unsaved when it was decided; what came later nobody has seen. */
    @Test
    void what_nobody_has_seen_is_kept_before_it_goes_also_when_work_is_to_be_discarded() {
        worked();
        var removal = begin(DISCARDING, null, WorkSeen.NOTHING);
        goOn();
        isKeptBeforeItGoes(removal);
    }

    @Test
    void work_that_changed_after_it_was_confirmed_calls_it_off() {
        worked();
        var plan = done(scene.planner.plan(new SessionId("top"), KEEPING, seen("f")));
        var removal = begin(KEEPING, plan.digest(), seen("f"));
        looked(found("f"));
        done(scene.doErrands.done(taken().id(), List.of(found("changed"))));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.TakenBack.class);
        assertThat(look(removal).state().calledOff()).contains("changed after it was confirmed");
    }

    /** A child of the top that works in a directory of its own until it is stopped. */
    private ClaimRun.Claim working() {
        done(scene.run(below("top", "kid"), Mode.ASYNC_POLL));
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        worksIn("kid", "/kid");
        return claim;
    }

    private String digest(WorkItem... items) {
        var seen = WorkSeen.of(List.of(items), List.of());
        return done(scene.planner.plan(new SessionId("top"), KEEPING, seen)).digest();
    }

    private Removal beginAfter(String digest, WorkItem... items) {
        return begin(KEEPING, digest, WorkSeen.of(List.of(items), List.of()));
    }

    @Test
    void a_plan_stands_for_the_work_of_those_who_have_ended_also_while_others_run() {
        worked();
        working();
        var before = digest(found("f"), of("kid", "/kid", "k"));
        assertThat(digest(found("f"), of("kid", "/kid", "goes on")))
                .as("its owner is at it")
                .isEqualTo(before);
        assertThat(digest(found("changed"), of("kid", "/kid", "k")))
                .as("nobody is at it")
                .isNotEqualTo(before);
        worksIn("kid", "/repo/inner");
        assertThat(digest(found("changed"), of("kid", "/kid", "k")))
                .as("someone works inside it")
                .isEqualTo(digest(found("f"), of("kid", "/kid", "k")));
    }

    @Test
    void who_ends_after_the_plan_was_confirmed_changes_nothing_of_it() {
        worked();
        var claim = working();
        var removal =
                beginAfter(
                        digest(found("f"), of("kid", "/kid", "k")),
                        found("f"),
                        of("kid", "/kid", "k"));
        scene.clock.pass(Duration.ofSeconds(1));
        looked(found("f"), of("kid", "/kid", "went on"));
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Quiescing.class);
        done(scene.stopped(claim));
        goOn();
        var errand = taken();
        assertThat(errand.kind()).isEqualTo(Errand.Kind.KEEP);
        var last = of("kid", "/kid", "its last words");
        done(scene.doErrands.done(errand.id(), List.of(found("f"), last)));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
    }

    @Test
    void what_is_begun_between_the_plan_and_the_fence_is_not_broken_off() {
        worked();
        working();
        var kid = of("kid", "/kid", "k");
        var removal = beginAfter(digest(found("f"), kid), found("f"), kid);
        looked(found("f"), rebasing(kid));
        assertThat(look(removal).state().calledOff()).contains("kid: a rebase is in progress");
        assertThat(scene.look("kid").state().isAlive()).isTrue();
        assertThat(scene.store.read(() -> scene.store.errands().of(id(removal), Errand.Kind.LOOK)))
                .as("looks leave nothing behind")
                .isEmpty();
    }

    private static WorkItem rebasing(WorkItem item) {
        return on(item.host(), item, List.of("a rebase is in progress"));
    }

    private static WorkItem on(String host, WorkItem item, List<String> busy) {
        return new WorkItem(
                host,
                item.directory(),
                item.kind(),
                item.sessions(),
                item.counts(),
                item.fingerprint(),
                item.tip(),
                null,
                busy,
                List.of());
    }

    @Test
    void work_that_changes_before_the_fence_is_up_calls_it_off_before_anyone_is_stopped() {
        worked();
        working();
        var kid = of("kid", "/kid", "k");
        var removal = beginAfter(digest(found("f"), kid), found("f"), kid);
        looked(found("changed"), kid);
        assertThat(look(removal).state().calledOff()).contains("changed after it was confirmed");
        assertThat(scene.look("kid").state().isAlive()).isTrue();
    }

    @Test
    void who_cannot_look_again_makes_it_wait_or_is_gone_without() {
        worked();
        var removal = beginAfter(digest(found("f")), found("f"));
        goOn();
        scene.clock.pass(Duration.ofSeconds(61));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Fencing.class);
        assertThat(look(removal).state().waitsFor()).contains("no runner", "host");
        done(scene.remove.goOnWithout(removal.id(), WHO, "it is gone for good"));
        goOn();
        scene.clock.pass(Duration.ofSeconds(61));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
    }

    private Removal discardingOnTwoHosts() {
        worked();
        worksIn("top", "/there", "other");
        var there = on("other", of("top", "/there", "t"), List.of());
        var choices = choosing(Choices.Work.DISCARD, Choices.Unreachable.ABANDON);
        var seen = WorkSeen.of(List.of(found("f"), there), List.of());
        var plan = done(scene.planner.plan(new SessionId("top"), choices, seen));
        return begin(choices, plan.digest(), seen);
    }

    /** Of the host that answers all must be as it was, whatever becomes of the other. */
    @Test
    void going_on_without_a_host_does_not_let_changes_on_another_one_pass() {
        var removal = discardingOnTwoHosts();
        goOn();
        done(scene.doErrands.done(taken().id(), List.of(found("changed"))));
        scene.clock.pass(Duration.ofSeconds(61));
        goOn();
        assertThat(look(removal).state().calledOff()).contains("changed after it was confirmed");
    }

    /** What nobody has confirmed there is kept before it goes. */
    @Test
    void what_was_gone_on_without_is_not_thrown_away_unseen() {
        var removal = discardingOnTwoHosts();
        for (int look = 0; look < 2; look++) {
            goOn();
            done(scene.doErrands.done(taken().id(), List.of(found("f"))));
            scene.clock.pass(Duration.ofSeconds(61));
        }
        goOn();
        isKeptBeforeItGoes(removal);
    }

    @Test
    void others_who_come_and_go_in_a_directory_that_was_left_out_change_nothing() {
        done(scene.run(named("other"), Mode.ASYNC_POLL));
        var other = scene.claim(runner).orElseThrow();
        done(scene.confirmed(other));
        worksIn("other", "/repo");
        worked();
        var removal = beginAfter(digest(found("f")), found("f"));
        done(scene.finished(other, "done"));
        looked(found("changed by the other"));
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Preserving.class);
    }

    @Test
    void someone_who_comes_to_a_directory_that_was_confirmed_changes_nothing_by_being_there() {
        worked();
        var removal = beginAfter(digest(found("f")), found("f"));
        done(scene.run(named("other"), Mode.ASYNC_POLL));
        done(scene.confirmed(scene.claim(runner).orElseThrow()));
        worksIn("other", "/repo");
        looked(found("f"));
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Preserving.class);
    }

    /** Its work is no part of the plan; what must not be broken off elsewhere still is. */
    @Test
    void where_a_host_was_silent_at_the_plan_the_others_are_looked_at_again() {
        var removal = silentOnAnother(KEEPING);
        goOn();
        done(scene.doErrands.done(taken().id(), List.of(rebasing(found("f")))));
        goOn();
        assertThat(look(removal).state())
                .as("it waits for the other")
                .isInstanceOf(RemovalState.Fencing.class);
        scene.clock.pass(Duration.ofSeconds(61));
        goOn();
        assertThat(look(removal).state().calledOff()).contains("top: a rebase is in progress");
    }

    /** The plan that was confirmed had it in it. */
    @Test
    void what_was_removed_below_before_is_not_purged_while_the_fence_waits() {
        worked();
        var claim = working();
        done(scene.finished(claim, "done"));
        var inner = begin("kid", KEEPING, null, WorkSeen.NOTHING);
        goOn();
        done(scene.doErrands.done(taken().id(), List.of()));
        goOn();
        assertThat(look(inner).state()).isInstanceOf(RemovalState.Hidden.class);
        var outer = beginAfter(digest(found("f")), found("f"));
        goOn();
        scene.clock.pass(Duration.ofDays(8));
        goOn();
        assertThat(look(inner).state()).isInstanceOf(RemovalState.Hidden.class);
        looked(found("f"));
        assertThat(look(outer).state()).isInstanceOf(RemovalState.Preserving.class);
        done(scene.remove.callOff(outer.id(), WHO, "enough"));
        goOn();
        done(scene.doErrands.failed(taken().id(), "released"));
        goOn();
        assertThat(look(inner).state()).isInstanceOf(RemovalState.Purging.class);
    }

    private Removal silentOnAnother(Choices choices) {
        worked();
        worksIn("top", "/there", "other");
        var seen = WorkSeen.of(List.of(found("f")), List.of("other"));
        var plan = done(scene.planner.plan(new SessionId("top"), choices, seen));
        return begin(choices, plan.digest(), seen);
    }

    /** It may see what must not be broken off. */
    @Test
    void a_runner_that_is_still_looking_is_waited_for_where_another_host_is_silent() {
        var removal = silentOnAnother(KEEPING);
        goOn();
        scene.clock.pass(Duration.ofSeconds(55));
        var errand = taken();
        scene.clock.pass(Duration.ofSeconds(10));
        goOn();
        assertThat(look(removal).state().waitsFor()).contains("host");
        done(scene.doErrands.done(errand.id(), List.of(rebasing(found("f")))));
        goOn();
        assertThat(look(removal).state().calledOff()).contains("top: a rebase is in progress");
    }

    /** Its look failed at the plan too; nothing of it goes before it was kept. */
    @Test
    void what_cannot_be_looked_at_does_not_hold_who_throws_work_away() {
        var removal = silentOnAnother(DISCARDING);
        goOn();
        done(scene.doErrands.failed(taken().id(), "too many files"));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Fencing.class);
        scene.clock.pass(Duration.ofSeconds(61));
        goOn();
        isKeptBeforeItGoes(removal);
    }

    /** Whoever reads the audit must be able to trust it. */
    @Test
    void who_is_at_work_is_not_said_to_have_been_gone_without() {
        worked();
        var abandoning = choosing(Choices.Work.PRESERVE, Choices.Unreachable.ABANDON);
        var removal = begin(abandoning, null, WorkSeen.NOTHING);
        goOn();
        scene.clock.pass(Duration.ofSeconds(55));
        var errand = taken();
        scene.clock.pass(Duration.ofSeconds(10));
        goOn();
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Preserving.class);
        done(scene.doErrands.done(errand.id(), List.of(found("f"))));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        var audit = scene.store.read(() -> scene.store.audit().list(null, Cursor.first(20)));
        assertThat(audit.items()).noneMatch(r -> r.act().what().act().equals("removal.without"));
    }

    @Test
    void a_look_that_fails_calls_it_off() {
        worked();
        var removal = beginAfter(digest(found("f")), found("f"));
        goOn();
        done(scene.doErrands.failed(taken().id(), "the disk does not answer"));
        goOn();
        assertThat(look(removal).state().calledOff()).contains("the disk does not answer");
    }

    private static String id(Removal removal) {
        return removal.id().value();
    }

    @Test
    void a_backup_that_cannot_be_written_keeps_it_waiting_until_it_can() {
        worked();
        scene.backupTroubles.add("no space left on device");
        var removal = begin(KEEPING, null, WorkSeen.NOTHING);
        goOn();
        done(scene.doErrands.done(taken().id(), List.of()));
        goOn();
        assertThat(look(removal).state().waitsFor()).contains("no space left on device");
        scene.clock.pass(Duration.ofSeconds(31));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        assertThat(look(removal).backup()).isNotNull();
    }

    /** All was kept, and now it goes. */
    private Removal purging() {
        worked();
        var removal = begin(KEEPING, null, WorkSeen.NOTHING);
        goOn();
        done(scene.doErrands.done(taken().id(), List.of()));
        goOn();
        done(scene.remove.purgeNow(removal.id(), WHO));
        goOn();
        return removal;
    }

    @Test
    void a_purge_takes_away_what_was_made_and_tries_again_what_would_not_go() {
        var removal = purging();
        var errand = taken();
        assertThat(errand.kind()).isEqualTo(Errand.Kind.TIDY);
        assertThat(errand.runs()).hasSize(1);
        done(scene.doErrands.failed(errand.id(), "a directory is busy"));
        goOn();
        assertThat(look(removal).state().waitsFor()).contains("a directory is busy");
        scene.clock.pass(Duration.ofSeconds(61));
        goOn();
        done(scene.doErrands.done(taken().id(), List.of()));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Purged.class);
    }

    /** A runner whose word was lost says it again, and others may have it by then. */
    @Test
    void what_is_only_kept_while_it_goes_is_written_down_once_and_asked_for_again() {
        var removal = purging();
        var errand = taken();
        done(scene.doErrands.done(errand.id(), List.of(found("late"))));
        assertThat(taken().id()).as("asked for again").isEqualTo(errand.id());
        done(scene.doErrands.done(errand.id(), List.of(found("late"))));
        assertThat(scene.doErrands.take("host", runner)).as("who has it keeps it").isEmpty();
        var found = List.of(errand.id());
        assertThat(scene.store.read(() -> scene.store.errands().found(found))).hasSize(1);
        done(scene.doErrands.done(errand.id(), List.of()));
        goOn();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Purged.class);
    }
}
