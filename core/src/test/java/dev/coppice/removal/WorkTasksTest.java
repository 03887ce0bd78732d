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
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.StartSession;
import dev.coppice.session.TreeQuota;
import dev.coppice.word.Choice;
import dev.coppice.word.ExecutionMode;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.InspectedWork;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;

/** A removal destroys nothing before the work that it promised to keep is preserved. */
class WorkTasksTest {
    private static final Act.Who WHO = new Act.Who("tester", "operator");

    /** Slightly more sessions than one task covers. */
    private static final int SHARERS = 520;

    private final Scene scene = new Scene();

    @AfterEach
    void nothingIsLeft() {
        scene.assertNothingIsLeft();
    }

    private final RunnerId runner = scene.runner("r1", 8);

    private static Choices choosing(Choice.Work work, Choice.Unreachable unreachable) {
        return new Choices(
                Choice.Children.CASCADE,
                Choice.Running.STOP,
                Choice.Critical.REFUSE,
                Choice.Purge.LATER,
                unreachable,
                Choices.DEADLINE,
                new Choices.Preservation(
                        work, Choice.Backup.YES, Choice.Ignored.LIST, Choice.Directories.MADE));
    }

    private static final Choices KEEPING = choosing(Choice.Work.PRESERVE, Choice.Unreachable.WAIT);
    private static final Choices DISCARDING =
            choosing(Choice.Work.DISCARD, Choice.Unreachable.WAIT);

    /** Creates an ended session that has worked in a directory on the runner's host. */
    private void worked() {
        done(scene.run(named("top"), ExecutionMode.ASYNC_POLL));
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
            scene.store.tasks().note(place);
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

    private static InspectedWork seen(String fingerprint) {
        return InspectedWork.of(List.of(found(fingerprint)), List.of());
    }

    private Removal begin(Choices choices, @Nullable String confirm, InspectedWork seen) {
        return begin("top", choices, confirm, seen);
    }

    private Removal begin(
            String top, Choices choices, @Nullable String confirm, InspectedWork seen) {
        var request = new RemoveTree.Request(choices, WHO, "because", confirm, seen);
        return done(scene.rules.removeTree.begin(new SessionId(top), request));
    }

    private void advance() {
        for (int i = 0; i < 50; i++) {
            if (scene.rules.removalSteps.advance() + scene.rules.removalSteps.backUp() == 0) return;
        }
    }

    private Removal look(Removal removal) {
        return scene.store.read(() -> scene.store.removals().find(removal.id()).orElseThrow());
    }

    /** Takes a task; the second poll acknowledges it. */
    private DirectoryTask taken() {
        var task = scene.rules.handleTasks.claim("host", runner).getFirst();
        assertThat(scene.rules.handleTasks.claim("host", runner)).isEmpty();
        return task;
    }

    /** The first runner was killed during its poll. */
    @Test
    void an_unacknowledged_task_goes_to_another_runner_of_the_host_within_seconds() {
        worked();
        begin(KEEPING, null, InspectedWork.NOTHING);
        advance();
        var other = scene.runner("r2", 8);
        var sent = scene.rules.handleTasks.claim("host", runner).getFirst();
        scene.clock.pass(Duration.ofSeconds(2));
        assertThat(scene.rules.handleTasks.claim("host", other)).isEmpty();
        scene.clock.pass(Duration.ofSeconds(2));
        assertThat(scene.rules.handleTasks.claim("host", other))
                .extracting(DirectoryTask::id)
                .containsExactly(sent.id());
        assertThat(scene.rules.handleTasks.claim("host", other)).isEmpty();
        scene.clock.pass(Duration.ofMinutes(1));
        assertThat(scene.rules.handleTasks.claim("host", runner))
                .as("claimed by the other")
                .isEmpty();
        scene.clock.pass(Duration.ofMinutes(1));
        assertThat(scene.rules.handleTasks.claim("host", runner)).hasSize(1);
    }

    /** Answers the inspection that follows the fence. */
    private void looked(WorkItem... found) {
        advance();
        var task = taken();
        assertThat(task.kind()).isEqualTo(DirectoryTask.Kind.INSPECT);
        done(scene.rules.handleTasks.complete(task.id(), List.of(found)));
        advance();
    }

    @Test
    void a_removal_waits_until_a_runner_has_preserved_the_work() {
        worked();
        var removal = begin(KEEPING, null, InspectedWork.NOTHING);
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Preserving.class);
        var task = taken();
        assertThat(task.kind()).isEqualTo(DirectoryTask.Kind.PRESERVE);
        assertThat(task.places())
                .extracting(DirectoryTask.Place::directory)
                .containsExactly("/repo");
        // Sent twice and answered twice: done once.
        scene.clock.pass(Duration.ofSeconds(6));
        assertThat(taken().id()).isEqualTo(task.id());
        done(scene.rules.handleTasks.complete(task.id(), List.of(found("f"))));
        done(scene.rules.handleTasks.fail(task.id(), "too late"));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
    }

    /** Covers more sessions than one task: all share the work, and all have their output kept. */
    @Test
    void the_work_of_a_shared_directory_belongs_to_every_session() {
        worked();
        var store = scene.store;
        var room = new TreeQuota(store.sessions(), Limits.DEFAULT);
        var start =
                new StartSession(
                        store,
                        store.sessions(),
                        store.journal(),
                        room,
                        scene.clock,
                        Ids.from(new Random(1)));
        for (int i = 0; i < SHARERS; i++) {
            done(start.start(below("top", "kid" + i)));
            worksIn("kid" + i, "/repo");
        }
        var removal = begin(KEEPING, null, InspectedWork.NOTHING);
        advance();
        var printed = new HashSet<String>();
        for (int round = 0; round < SHARERS && !isHidden(removal); round++) {
            for (var task : scene.rules.handleTasks.claim("host", runner)) {
                assertThat(task.kind()).isEqualTo(DirectoryTask.Kind.PRESERVE);
                // The work is preserved before further sessions are added to it.
                assertThat(task.places())
                        .extracting(DirectoryTask.Place::again)
                        .containsOnly(!printed.isEmpty());
                var sessions = task.places().stream().map(p -> p.session().value()).toList();
                assertThat(printed).doesNotContainAnyElementsOf(sessions);
                printed.addAll(sessions);
                done(scene.rules.handleTasks.complete(task.id(), List.of(shared(sessions))));
            }
            scene.clock.pass(Duration.ofSeconds(6));
            advance();
        }
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        var id = removal.id().value();
        var found = scene.store.read(() -> scene.store.tasks().found(id, Cursor.first(9)).items());
        assertThat(found)
                .singleElement()
                .satisfies(i -> assertThat(i.sessions()).hasSameElementsAs(printed));
        assertThat(printed).hasSize(SHARERS + 1);
    }

    private static WorkItem shared(List<String> sessions) {
        return in("/repo", sessions, null);
    }

    private static WorkItem in(
            String directory, List<String> sessions, WorkItem.@Nullable Preserved preserved) {
        var one = found("f");
        return new WorkItem(
                one.host(),
                directory,
                one.kind(),
                sessions,
                one.counts(),
                one.fingerprint(),
                one.tip(),
                preserved,
                List.of(),
                List.of());
    }

    /** The runner reports a nested repository after the release was requested. */
    @Test
    void work_preserved_during_a_cancellation_is_released_too() {
        worked();
        var removal = begin(KEEPING, null, InspectedWork.NOTHING);
        advance();
        var keep = taken();
        done(scene.rules.removeTree.cancel(removal.id(), WHO, "enough"));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.TakenBack.class);
        assertThat(scene.rules.handleTasks.claim("host", runner)).as("still preserving").isEmpty();
        var preserved = new WorkItem.Preserved("refs/x", "/repo/inside", null, null, 0);
        done(
                scene.rules.handleTasks.complete(
                        keep.id(), List.of(in("/repo/inside", List.of("top"), preserved))));
        var released =
                scene.rules.handleTasks.claim("host", runner).stream()
                        .flatMap(e -> e.places().stream())
                        .map(DirectoryTask.Place::directory);
        assertThat(released).containsExactly("/repo", "/repo/inside");
    }

    private boolean isHidden(Removal removal) {
        return look(removal).state() instanceof RemovalState.Hidden;
    }

    @Test
    void a_failed_preservation_cancels_the_removal() {
        worked();
        var removal = begin(KEEPING, null, InspectedWork.NOTHING);
        advance();
        done(scene.rules.handleTasks.fail(taken().id(), "the disk is full"));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.TakenBack.class);
        assertThat(look(removal).state().cancelReason()).contains("the disk is full");
        assertThat(scene.look("top").standing().removal()).isNull();
    }

    @Test
    void a_host_that_does_not_answer_is_waited_for_or_abandoned_as_chosen() {
        worked();
        var waiting = begin(KEEPING, null, InspectedWork.NOTHING);
        advance();
        scene.clock.pass(Duration.ofSeconds(61));
        advance();
        assertThat(look(waiting).state().waitsFor()).contains("no runner", "host");
        done(scene.rules.removeTree.cancel(waiting.id(), WHO, "enough"));
        advance();
        var abandoning = choosing(Choice.Work.PRESERVE, Choice.Unreachable.ABANDON);
        var removal = begin(abandoning, null, InspectedWork.NOTHING);
        advance();
        scene.clock.pass(Duration.ofSeconds(61));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        var id = removal.id().value();
        assertThat(scene.store.read(() -> scene.store.tasks().notPreserved(id, 10)))
                .containsExactly(
                        new DirectoryTasks.NotPreserved(
                                "host", "no runner answered", List.of("/repo")));
        var audit = scene.store.read(() -> scene.store.audit().list(null, Cursor.first(20)));
        assertThat(audit.items())
                .anyMatch(r -> r.act().what().act().equals("removal.without"))
                .anyMatch(r -> "no runner answered on host".equals(r.act().decision().reason()));
    }

    @Test
    void work_is_discarded_only_with_the_digest_of_the_plan() {
        worked();
        var without = new RemoveTree.Request(DISCARDING, WHO, "because", null, seen("f"));
        assertThat(refused(scene.rules.removeTree.begin(new SessionId("top"), without)))
                .isInstanceOf(RemovalRefusal.WorkWouldBeLost.class);
        var plan = done(scene.rules.planRemoval.plan(new SessionId("top"), DISCARDING, seen("f")));
        var other = new RemoveTree.Request(DISCARDING, WHO, "because", plan.digest(), seen("g"));
        assertThat(refused(scene.rules.removeTree.begin(new SessionId("top"), other)))
                .isInstanceOf(RemovalRefusal.PlanChanged.class);
        var removal = begin(DISCARDING, plan.digest(), seen("f"));
        looked(found("f"));
        var task = taken();
        assertThat(task.kind()).isEqualTo(DirectoryTask.Kind.INSPECT);
        done(scene.rules.handleTasks.complete(task.id(), List.of(found("f"))));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
    }

    private void assertPreservedBeforePurge(Removal hidden) {
        assertThat(look(hidden).state()).isInstanceOf(RemovalState.Hidden.class);
        done(scene.rules.removeTree.purgeNow(hidden.id(), WHO));
        advance();
        assertThat(taken().kind()).isEqualTo(DirectoryTask.Kind.CLEAN_UP);
    }

    /** No work was unsaved at the decision, so any later work was never confirmed. */
    @Test
    void work_that_was_never_seen_is_preserved_although_work_is_discarded() {
        worked();
        var removal = begin(DISCARDING, null, InspectedWork.NOTHING);
        advance();
        assertPreservedBeforePurge(removal);
    }

    @Test
    void work_that_changed_after_the_confirmation_cancels_the_removal() {
        worked();
        var plan = done(scene.rules.planRemoval.plan(new SessionId("top"), KEEPING, seen("f")));
        var removal = begin(KEEPING, plan.digest(), seen("f"));
        looked(found("f"));
        done(scene.rules.handleTasks.complete(taken().id(), List.of(found("changed"))));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.TakenBack.class);
        assertThat(look(removal).state().cancelReason()).contains("changed after it was confirmed");
    }

    /** Starts a child of the top that works in its own directory until it is stopped. */
    private ClaimRun.Claim working() {
        done(scene.run(below("top", "kid"), ExecutionMode.ASYNC_POLL));
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        worksIn("kid", "/kid");
        return claim;
    }

    private String digest(WorkItem... items) {
        var seen = InspectedWork.of(List.of(items), List.of());
        return done(scene.rules.planRemoval.plan(new SessionId("top"), KEEPING, seen)).digest();
    }

    private Removal beginAfter(String digest, WorkItem... items) {
        return begin(KEEPING, digest, InspectedWork.of(List.of(items), List.of()));
    }

    @Test
    void the_digest_covers_the_work_of_ended_sessions_even_while_others_run() {
        worked();
        working();
        var before = digest(found("f"), of("kid", "/kid", "k"));
        assertThat(digest(found("f"), of("kid", "/kid", "goes on")))
                .as("a live session works there")
                .isEqualTo(before);
        assertThat(digest(found("changed"), of("kid", "/kid", "k")))
                .as("no live session works there")
                .isNotEqualTo(before);
        worksIn("kid", "/repo/inner");
        assertThat(digest(found("changed"), of("kid", "/kid", "k")))
                .as("a live session works inside it")
                .isEqualTo(digest(found("f"), of("kid", "/kid", "k")));
    }

    @Test
    void a_session_that_ends_after_the_confirmation_does_not_change_the_plan() {
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
        advance();
        var task = taken();
        assertThat(task.kind()).isEqualTo(DirectoryTask.Kind.PRESERVE);
        var last = of("kid", "/kid", "its last words");
        done(scene.rules.handleTasks.complete(task.id(), List.of(found("f"), last)));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
    }

    @Test
    void an_operation_that_starts_between_plan_and_fence_cancels_the_removal() {
        worked();
        working();
        var kid = of("kid", "/kid", "k");
        var removal = beginAfter(digest(found("f"), kid), found("f"), kid);
        looked(found("f"), rebasing(kid));
        assertThat(look(removal).state().cancelReason()).contains("'kid': a rebase is in progress");
        assertThat(scene.look("kid").state().isAlive()).isTrue();
        assertThat(
                        scene.store.read(() ->
                                scene.store.tasks().idsOf(id(removal), DirectoryTask.Kind.INSPECT)))
                .as("finished inspections are deleted")
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
    void work_that_changes_before_the_fence_cancels_the_removal_before_any_stop() {
        worked();
        working();
        var kid = of("kid", "/kid", "k");
        var removal = beginAfter(digest(found("f"), kid), found("f"), kid);
        looked(found("changed"), kid);
        assertThat(look(removal).state().cancelReason()).contains("changed after it was confirmed");
        assertThat(scene.look("kid").state().isAlive()).isTrue();
    }

    @Test
    void a_host_that_cannot_inspect_again_is_waited_for_or_abandoned() {
        worked();
        var removal = beginAfter(digest(found("f")), found("f"));
        advance();
        scene.clock.pass(Duration.ofSeconds(61));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Fencing.class);
        assertThat(look(removal).state().waitsFor()).contains("no runner", "host");
        done(scene.rules.removeTree.abandonUnreachable(removal.id(), WHO, "it is gone for good"));
        advance();
        scene.clock.pass(Duration.ofSeconds(61));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
    }

    private Removal discardingOnTwoHosts() {
        worked();
        worksIn("top", "/there", "other");
        var there = on("other", of("top", "/there", "t"), List.of());
        var choices = choosing(Choice.Work.DISCARD, Choice.Unreachable.ABANDON);
        var seen = InspectedWork.of(List.of(found("f"), there), List.of());
        var plan = done(scene.rules.planRemoval.plan(new SessionId("top"), choices, seen));
        return begin(choices, plan.digest(), seen);
    }

    /** The work on the host that answers must be unchanged. */
    @Test
    void abandoning_a_host_does_not_accept_changes_on_another_one() {
        var removal = discardingOnTwoHosts();
        advance();
        done(scene.rules.handleTasks.complete(taken().id(), List.of(found("changed"))));
        scene.clock.pass(Duration.ofSeconds(61));
        advance();
        assertThat(look(removal).state().cancelReason()).contains("changed after it was confirmed");
    }

    /** Unconfirmed work on that host is preserved before the purge. */
    @Test
    void work_on_an_abandoned_host_is_not_discarded_unseen() {
        var removal = discardingOnTwoHosts();
        for (int look = 0; look < 2; look++) {
            advance();
            done(scene.rules.handleTasks.complete(taken().id(), List.of(found("f"))));
            scene.clock.pass(Duration.ofSeconds(61));
        }
        advance();
        assertPreservedBeforePurge(removal);
    }

    @Test
    void changes_in_a_directory_that_was_in_use_at_the_plan_do_not_cancel_the_removal() {
        done(scene.run(named("other"), ExecutionMode.ASYNC_POLL));
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
    void another_session_that_starts_in_a_confirmed_directory_does_not_cancel_the_removal() {
        worked();
        var removal = beginAfter(digest(found("f")), found("f"));
        done(scene.run(named("other"), ExecutionMode.ASYNC_POLL));
        done(scene.confirmed(scene.claim(runner).orElseThrow()));
        worksIn("other", "/repo");
        looked(found("f"));
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Preserving.class);
    }

    /** The work of the silent host is not in the plan; operations on other hosts still are. */
    @Test
    void the_other_hosts_are_inspected_again_if_one_was_silent_at_the_plan() {
        var removal = silentOnAnother(KEEPING);
        advance();
        done(scene.rules.handleTasks.complete(taken().id(), List.of(rebasing(found("f")))));
        advance();
        assertThat(look(removal).state())
                .as("waits for the silent host")
                .isInstanceOf(RemovalState.Fencing.class);
        scene.clock.pass(Duration.ofSeconds(61));
        advance();
        assertThat(look(removal).state().cancelReason()).contains("'top': a rebase is in progress");
    }

    /** The confirmed plan includes the earlier removal. */
    @Test
    void an_earlier_removal_below_is_not_purged_while_the_fence_waits() {
        worked();
        var claim = working();
        done(scene.finished(claim, "done"));
        var inner = begin("kid", KEEPING, null, InspectedWork.NOTHING);
        advance();
        done(scene.rules.handleTasks.complete(taken().id(), List.of()));
        advance();
        assertThat(look(inner).state()).isInstanceOf(RemovalState.Hidden.class);
        var outer = beginAfter(digest(found("f")), found("f"));
        advance();
        scene.clock.pass(Duration.ofDays(8));
        advance();
        assertThat(look(inner).state()).isInstanceOf(RemovalState.Hidden.class);
        looked(found("f"));
        assertThat(look(outer).state()).isInstanceOf(RemovalState.Preserving.class);
        done(scene.rules.removeTree.cancel(outer.id(), WHO, "enough"));
        advance();
        done(scene.rules.handleTasks.fail(taken().id(), "released"));
        advance();
        assertThat(look(inner).state()).isInstanceOf(RemovalState.Purging.class);
    }

    private Removal silentOnAnother(Choices choices) {
        worked();
        worksIn("top", "/there", "other");
        var seen = InspectedWork.of(List.of(found("f")), List.of("other"));
        var plan = done(scene.rules.planRemoval.plan(new SessionId("top"), choices, seen));
        return begin(choices, plan.digest(), seen);
    }

    /** The inspection may find an operation in progress. */
    @Test
    void a_claimed_inspection_is_waited_for_even_if_another_host_is_silent() {
        var removal = silentOnAnother(KEEPING);
        advance();
        scene.clock.pass(Duration.ofSeconds(55));
        var task = taken();
        scene.clock.pass(Duration.ofSeconds(10));
        advance();
        assertThat(look(removal).state().waitsFor()).contains("host");
        done(scene.rules.handleTasks.complete(task.id(), List.of(rebasing(found("f")))));
        advance();
        assertThat(look(removal).state().cancelReason()).contains("'top': a rebase is in progress");
    }

    /** The inspection failed at the plan too, so the work is preserved before the purge. */
    @Test
    void a_failed_inspection_does_not_block_a_removal_that_discards_work() {
        var removal = silentOnAnother(DISCARDING);
        advance();
        done(scene.rules.handleTasks.fail(taken().id(), "too many files"));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Fencing.class);
        scene.clock.pass(Duration.ofSeconds(61));
        advance();
        assertPreservedBeforePurge(removal);
    }

    @Test
    void a_host_with_a_claimed_task_is_not_audited_as_abandoned() {
        worked();
        var abandoning = choosing(Choice.Work.PRESERVE, Choice.Unreachable.ABANDON);
        var removal = begin(abandoning, null, InspectedWork.NOTHING);
        advance();
        scene.clock.pass(Duration.ofSeconds(55));
        var task = taken();
        scene.clock.pass(Duration.ofSeconds(10));
        advance();
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Preserving.class);
        done(scene.rules.handleTasks.complete(task.id(), List.of(found("f"))));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        var audit = scene.store.read(() -> scene.store.audit().list(null, Cursor.first(20)));
        assertThat(audit.items()).noneMatch(r -> r.act().what().act().equals("removal.without"));
    }

    @Test
    void a_failed_inspection_cancels_the_removal() {
        worked();
        var removal = beginAfter(digest(found("f")), found("f"));
        advance();
        done(scene.rules.handleTasks.fail(taken().id(), "the disk does not answer"));
        advance();
        assertThat(look(removal).state().cancelReason()).contains("the disk does not answer");
    }

    private static String id(Removal removal) {
        return removal.id().value();
    }

    @Test
    void a_removal_waits_until_its_backup_can_be_written() {
        worked();
        scene.backups.troubles.add("no space left on device");
        var removal = begin(KEEPING, null, InspectedWork.NOTHING);
        advance();
        done(scene.rules.handleTasks.complete(taken().id(), List.of()));
        advance();
        assertThat(look(removal).state().waitsFor()).contains("no space left on device");
        assertThat(scene.coordinator().removalSteps.backUp())
                .as("another coordinator waits")
                .isZero();
        scene.clock.pass(Duration.ofSeconds(31));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        assertThat(look(removal).backup()).isNotNull();
    }

    /** Starts the purge of a removal whose work is preserved. */
    private Removal purging() {
        worked();
        var removal = begin(KEEPING, null, InspectedWork.NOTHING);
        advance();
        done(scene.rules.handleTasks.complete(taken().id(), List.of()));
        advance();
        done(scene.rules.removeTree.purgeNow(removal.id(), WHO));
        advance();
        return removal;
    }

    @Test
    void a_purge_removes_made_directories_and_retries_failures() {
        var removal = purging();
        var task = taken();
        assertThat(task.kind()).isEqualTo(DirectoryTask.Kind.CLEAN_UP);
        assertThat(task.runs()).hasSize(1);
        done(scene.rules.handleTasks.fail(task.id(), "a directory is busy"));
        advance();
        assertThat(look(removal).state().waitsFor()).contains("a directory is busy");
        scene.clock.pass(Duration.ofSeconds(61));
        advance();
        done(scene.rules.handleTasks.complete(taken().id(), List.of()));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Purged.class);
    }

    /** The fence of a removal goes with its rows, and holds no later session with the same id. */
    @Test
    void the_id_of_a_purged_session_is_free_while_its_directories_wait_for_their_host() {
        var removal = purging();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Purging.class);
        done(scene.run(named("top"), ExecutionMode.ASYNC_POLL));
        done(scene.run(below("top", "child"), ExecutionMode.ASYNC_POLL));
        done(scene.rules.handleTasks.complete(taken().id(), List.of()));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Purged.class);
        assertThat(scene.look("child").place().path()).isEqualTo("top.child");
        assertThat(scene.look("top").standing().removal()).isNull();
    }

    /** A runner repeats a report whose answer was lost; the task may be claimed by then. */
    @Test
    void work_preserved_during_a_purge_is_recorded_once_and_the_task_is_sent_again() {
        var removal = purging();
        var task = taken();
        done(scene.rules.handleTasks.complete(task.id(), List.of(found("late"))));
        assertThat(taken().id()).as("sent again").isEqualTo(task.id());
        done(scene.rules.handleTasks.complete(task.id(), List.of(found("late"))));
        assertThat(scene.rules.handleTasks.claim("host", runner)).as("still claimed").isEmpty();
        var found = List.of(task.id());
        assertThat(scene.store.read(() -> scene.store.tasks().found(found))).hasSize(1);
        done(scene.rules.handleTasks.complete(task.id(), List.of()));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Purged.class);
    }
}
