package dev.coppice.removal;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.audit.Act;
import dev.coppice.audit.AuditRecord;
import dev.coppice.budget.Amounts;
import dev.coppice.budget.Budget;
import dev.coppice.callback.CallbackState;
import dev.coppice.callback.Join;
import dev.coppice.fleet.ClaimRun.Claim;
import dev.coppice.held.HeldTreeRows;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.run.Run;
import dev.coppice.scene.PlainPrompting;
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.word.BudgetPolicy;
import dev.coppice.word.Choice;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.JoinKind;
import dev.coppice.word.WhenBusy;
import dev.coppice.work.InspectedWork;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Removals of trees, and their undo. */
class RemovalTest {
    private static final Choices STOPPING =
            new Choices(
                    Choice.Children.CASCADE,
                    Choice.Running.STOP,
                    Choice.Critical.REFUSE,
                    Choice.Purge.LATER,
                    Choice.Unreachable.WAIT,
                    Choices.DEADLINE,
                    Choices.Preservation.ALL);
    private static final Act.Who WHO = new Act.Who("tester", "operator");
    private final Scene scene = new Scene();
    private final RunnerId runner = scene.runner("r1", 8);

    @AfterEach
    void nothingIsLeft() {
        scene.assertNothingIsLeft();
    }

    private static RemoveTree.Request request(Choices choices, @Nullable String confirm) {
        return new RemoveTree.Request(choices, WHO, "because", confirm, InspectedWork.NOTHING);
    }

    private static Choices with(Choice.Children children) {
        return new Choices(
                children,
                Choice.Running.STOP,
                Choice.Critical.REFUSE,
                Choice.Purge.LATER,
                Choice.Unreachable.WAIT,
                Choices.DEADLINE,
                Choices.Preservation.ALL);
    }

    private static Choices with(Choice.Unreachable unreachable) {
        return new Choices(
                Choice.Children.CASCADE,
                Choice.Running.STOP,
                Choice.Critical.REFUSE,
                Choice.Purge.LATER,
                unreachable,
                Choices.DEADLINE,
                Choices.Preservation.ALL);
    }

    private static Choices purging() {
        return new Choices(
                Choice.Children.CASCADE,
                Choice.Running.STOP,
                Choice.Critical.REFUSE,
                Choice.Purge.NOW,
                Choice.Unreachable.WAIT,
                Choices.DEADLINE,
                Choices.Preservation.ALL);
    }

    private Removal begin(String top, Choices choices) {
        return done(scene.rules.removeTree.begin(new SessionId(top), request(choices, null)));
    }

    private void advance() {
        for (int i = 0; i < 100; i++) {
            if (scene.rules.removalSteps.advance() + scene.rules.removalSteps.backUp() == 0) return;
        }
        throw new AssertionError("the removal never settles");
    }

    private Removal look(Removal removal) {
        return scene.store.read(() -> scene.store.removals().find(removal.id()).orElseThrow());
    }

    private List<Member> members(Removal removal) {
        var page = Cursor.first(9);
        return scene.store.read(() -> scene.store.removals().members(removal.id(), page).items());
    }

    private Claim begun() {
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        return claim;
    }

    private Claim running(dev.coppice.session.NewSession asked, ExecutionMode mode) {
        done(scene.run(asked, mode));
        return begun();
    }

    private void finished(dev.coppice.session.NewSession asked) {
        done(scene.finished(running(asked, ExecutionMode.ASYNC_POLL), "done"));
    }

    private boolean isThere(String id) {
        return scene.store.read(() -> scene.store.sessions().find(new SessionId(id)).isPresent());
    }

    private List<Session> all() {
        return scene.store.read(() ->
                scene.store
                        .sessions()
                        .list(
                                dev.coppice.session.SessionFilter.ALL,
                                dev.coppice.kernel.Cursor.first(100))
                        .items());
    }

    private List<String> announced(Class<? extends Fact> what) {
        return scene.entries().stream()
                .filter(e -> what.isInstance(e.fact()))
                .map(Entry::session)
                .map(SessionId::value)
                .toList();
    }

    private void three() {
        finished(named("top"));
        finished(below("top", "mid"));
        finished(below("mid", "leaf"));
        finished(named("other"));
    }

    @Test
    void a_removed_tree_is_hidden_at_once_and_every_session_is_announced() {
        three();
        var removal = begin("top", Choices.CAREFUL);
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        assertThat(all()).extracting(Session::name).containsExactly("other");
        assertThat(announced(Fact.SessionDeleted.class)).containsExactly("leaf", "mid", "top");
        assertThat(scene.entries())
                .noneMatch(e ->
                        e.fact() instanceof Fact.RunStarted && e.session().value().equals("leaf"));
        assertThat(removal.taken().sessions()).isEqualTo(3);
    }

    @Test
    void an_undo_restores_exactly_the_previous_state() {
        three();
        var before = all();
        var entries = scene.entries();
        var removal = begin("top", Choices.CAREFUL);
        advance();
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(all()).isEqualTo(before);
        assertThat(scene.entries()).containsAll(entries);
        assertThat(announced(Fact.SessionRestored.class)).containsExactly("top", "mid", "leaf");
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Undone.class);
        done(scene.resume("leaf"));
    }

    @Test
    void repeated_undos_have_the_effect_of_one() {
        three();
        var removal = begin("top", Choices.CAREFUL);
        advance();
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        assertThat(announced(Fact.SessionRestored.class)).hasSize(3);
        // The repeated requests are audited, but only one transition.
        assertThat(audited())
                .containsOnlyOnce("removal.undoing allowed by tester")
                .filteredOn("removal.undo allowed by tester"::equals)
                .hasSize(2);
    }

    @Test
    void after_the_undo_window_a_purge_leaves_nothing() {
        three();
        var removal = begin("top", Choices.CAREFUL);
        advance();
        scene.clock.pass(Duration.ofDays(7));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Purged.class);
        assertThat(
                        refused(
                                scene.rules.undoRemoval.undo(
                                        removal.id(), UndoRemoval.Names.REFUSE, WHO)))
                .isInstanceOf(RemovalRefusal.CannotBeUndone.class);
        assertThat(scene.entries())
                .filteredOn(e -> e.session().value().equals("leaf"))
                .allMatch(e -> e.fact() instanceof Fact.SessionDeleted);
    }

    @Test
    void a_running_session_is_not_removed_unless_it_may_be_stopped() {
        running(named("busy"), ExecutionMode.ASYNC_POLL);
        var refusal =
                refused(
                        scene.rules.removeTree.begin(
                                new SessionId("busy"), request(Choices.CAREFUL, null)));
        assertThat(refusal.said()).contains("1 session is running: 'busy'");
        assertThat(isThere("busy")).isTrue();
    }

    /** The originals delete such a session at once. */
    @Test
    void a_session_that_never_ran_is_removed_without_being_stopped_first() {
        done(scene.run(named("waits"), ExecutionMode.ASYNC_POLL));
        var removal = begin("waits", Choices.CAREFUL);
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        assertThat(scene.claim(runner)).isEmpty();
    }

    @Test
    void the_program_of_an_idle_session_is_asked_to_end_before_its_session_is_removed() {
        var claim = running(named("idle"), ExecutionMode.ASYNC_POLL);
        var turn = new dev.coppice.run.Result("one turn", null);
        var holder = claim.lease().holder();
        done(
                scene.rules.report.completed(
                        claim.run().id(), holder, turn, dev.coppice.run.MoveRun.After.IDLE));
        var removal = begin("idle", Choices.CAREFUL);
        advance();
        assertThat(scene.look("idle").state()).isInstanceOf(SessionState.Stopping.class);
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Quiescing.class);
        done(scene.rules.stop.programEnded(new SessionId("idle"), "stopped"));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
    }

    @Test
    void children_are_stopped_before_their_parents_and_all_are_hidden_together() {
        var top = running(named("top"), ExecutionMode.ASYNC_POLL);
        var kid = running(below("top", "kid"), ExecutionMode.ASYNC_POLL);
        var removal = begin("top", STOPPING);
        advance();
        assertThat(scene.look("kid").state()).isInstanceOf(SessionState.Stopping.class);
        assertThat(scene.look("top").state()).isInstanceOf(SessionState.Running.class);
        done(scene.stopped(kid));
        advance();
        assertThat(scene.look("top").state()).isInstanceOf(SessionState.Stopping.class);
        done(scene.stopped(top));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        assertThat(isThere("kid")).isFalse();
    }

    @Test
    void nothing_starts_in_a_tree_that_is_being_removed() {
        finished(named("top"));
        running(below("top", "kid"), ExecutionMode.ASYNC_POLL);
        begin("top", STOPPING);
        assertThat(refused(scene.run(below("top", "late"))))
                .isInstanceOf(RemovalRefusal.TreeIsBeingRemoved.class);
        assertThat(refused(scene.run(below("kid", "later"))))
                .isInstanceOf(RemovalRefusal.TreeIsBeingRemoved.class);
        advance();
        assertThat(scene.look("kid").state()).isInstanceOf(SessionState.Stopping.class);
        assertThat(refused(scene.run(below("kid", "later"))))
                .isInstanceOf(RemovalRefusal.TreeIsBeingRemoved.class);
        assertThat(refused(scene.resume("top")))
                .isInstanceOf(RemovalRefusal.TreeIsBeingRemoved.class);
        assertThat(refused(scene.send("top", "hey", WhenBusy.QUEUE)))
                .isInstanceOf(RemovalRefusal.TreeIsBeingRemoved.class);
    }

    @Test
    void a_second_request_joins_the_removal_in_progress_even_from_below() {
        running(named("top"), ExecutionMode.ASYNC_POLL);
        running(below("top", "kid"), ExecutionMode.ASYNC_POLL);
        var removal = begin("top", STOPPING);
        assertThat(begin("top", Choices.CAREFUL).id()).isEqualTo(removal.id());
        assertThat(begin("kid", Choices.CAREFUL).id()).isEqualTo(removal.id());
        assertThat(audited()).filteredOn(l -> l.startsWith("removal.join allowed")).hasSize(2);
    }

    @Test
    void a_removal_above_one_in_progress_is_refused() {
        running(named("top"), ExecutionMode.ASYNC_POLL);
        running(below("top", "kid"), ExecutionMode.ASYNC_POLL);
        var removal = begin("kid", STOPPING);
        var refusal =
                refused(
                        scene.rules.removeTree.begin(
                                new SessionId("top"), request(STOPPING, null)));
        assertThat(refusal.said()).contains("its descendant 'kid'", removal.id().value());
    }

    @Test
    void removed_and_unknown_sessions_are_refused_differently() {
        three();
        var removal = begin("top", Choices.CAREFUL);
        advance();
        assertThat(
                        refused(
                                scene.rules.removeTree.begin(
                                        new SessionId("leaf"), request(STOPPING, null))))
                .isEqualTo(new RemovalRefusal.SessionRemoved("leaf", removal.id().value()));
        assertThat(
                        refused(
                                scene.rules.removeTree.begin(
                                        new SessionId("typo"), request(STOPPING, null))))
                .isInstanceOf(SessionRefusal.SessionUnknown.class);
    }

    @Test
    void a_confirmed_plan_that_is_outdated_is_refused() {
        three();
        var planner = scene.rules.planRemoval;
        var plan = done(planner.plan(new SessionId("top"), Choices.CAREFUL, InspectedWork.NOTHING));
        assertThat(plan.survey().sessions()).isEqualTo(3);
        finished(below("top", "new"));
        assertThat(
                        refused(
                                scene.rules.removeTree.begin(
                                        new SessionId("top"),
                                        request(Choices.CAREFUL, plan.digest()))))
                .isInstanceOf(RemovalRefusal.PlanChanged.class);
        var again =
                done(planner.plan(new SessionId("top"), Choices.CAREFUL, InspectedWork.NOTHING));
        done(
                scene.rules.removeTree.begin(
                        new SessionId("top"), request(Choices.CAREFUL, again.digest())));
    }

    @Test
    void earlier_removals_below_are_in_the_plan_and_forbid_an_immediate_purge() {
        finished(named("above"));
        finished(below("above", "kid"));
        var earlier = begin("kid", Choices.CAREFUL);
        advance();
        var top = new SessionId("above");
        var before =
                done(scene.rules.planRemoval.plan(top, Choices.CAREFUL, InspectedWork.NOTHING));
        assertThat(before.earlier()).extracting(Removal::id).containsExactly(earlier.id());
        var now = refused(scene.rules.removeTree.begin(top, request(purging(), null)));
        assertThat(now).isInstanceOf(RemovalRefusal.RemovalForbidden.class);
        assertThat(now.said()).contains("can still be undone", earlier.id().value());
        done(scene.rules.undoRemoval.undo(earlier.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        var after = done(scene.rules.planRemoval.plan(top, Choices.CAREFUL, InspectedWork.NOTHING));
        assertThat(after.earlier()).isEmpty();
        assertThat(after.digest()).isNotEqualTo(before.digest());
    }

    @Test
    void a_session_that_does_not_end_in_time_is_named_or_abandoned() {
        running(named("deaf"), ExecutionMode.ASYNC_POLL);
        var waits = begin("deaf", STOPPING);
        advance();
        scene.clock.pass(Choices.DEADLINE.plusSeconds(1));
        advance();
        assertThat(look(waits).state().why()).contains("1 session has not ended: deaf");
        done(scene.rules.removeTree.cancel(waits.id(), WHO, "never mind"));
        advance();
        assertThat(look(waits).state()).isInstanceOf(RemovalState.TakenBack.class);
        assertThat(isThere("deaf")).isTrue();
        var abandons = begin("deaf", with(Choice.Unreachable.ABANDON));
        advance();
        scene.clock.pass(Choices.DEADLINE.plusSeconds(1));
        advance();
        assertThat(look(abandons).state()).isInstanceOf(RemovalState.Hidden.class);
        assertThat(members(abandons)).extracting(Member::givenUp).containsExactly(true);
        assertThat(members(waits)).extracting(Member::givenUp).containsExactly(false);
    }

    @Test
    void a_cancelled_removal_changes_nothing_and_lifts_the_fence() {
        running(named("top"), ExecutionMode.ASYNC_POLL);
        finished(below("top", "kid"));
        var removal = begin("top", STOPPING);
        done(scene.rules.removeTree.cancel(removal.id(), WHO, "a mistake"));
        advance();
        assertThat(look(removal).state())
                .isEqualTo(new RemovalState.TakenBack(scene.clock.instant(), "a mistake"));
        done(scene.run(below("kid", "again")));
    }

    @Test
    void detached_children_become_roots_and_an_undo_reattaches_those_that_exist() {
        three();
        finished(below("top", "second"));
        var before = all();
        var removal = begin("top", with(Choice.Children.DETACH));
        advance();
        assertThat(isThere("top")).isFalse();
        assertThat(scene.look("mid").place().parent()).isNull();
        assertThat(scene.look("leaf").place().path()).isEqualTo("mid.leaf");
        assertThat(scene.look("leaf").place().root()).isEqualTo(new SessionId("mid"));
        assertThat(announced(Fact.SessionDetached.class)).containsExactly("mid", "second");
        var gone = begin("second", Choices.CAREFUL);
        advance();
        var undo = done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(undo.notReattached()).containsExactly(new SessionId("second"));
        assertThat(scene.look("leaf").place().path()).isEqualTo("top.mid.leaf");
        done(scene.rules.undoRemoval.undo(gone.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(scene.look("second").place().parent()).isNull();
        assertThat(all()).hasSameSizeAs(before);
    }

    /** The undo made a circle of them, which no walk up the tree ever left. */
    @Test
    void an_undo_does_not_attach_a_child_below_which_its_former_parent_stands_now() {
        done(scene.session(named("outer")));
        done(scene.session(below("outer", "top")));
        done(scene.session(below("top", "child")));
        var removal = begin("top", with(Choice.Children.DETACH));
        advance();
        scene.store.write(() -> {
            var outer = scene.look("outer");
            return done(scene.rules.attachRoot.attach(outer, scene.look("child")));
        });
        var undo = done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(undo.notReattached()).containsExactly(new SessionId("child"));
        assertThat(scene.look("top").place().path()).isEqualTo("child.outer.top");
    }

    @Test
    void a_reattached_child_has_its_former_limits_and_budget() {
        done(scene.session(named("outer")));
        done(scene.session(below("outer", "top", Limits.NONE.with(Limits.Kind.CHILDREN, 50))));
        done(scene.session(below("top", "mid", Limits.NONE.with(Limits.Kind.CHILDREN, 5))));
        done(scene.session(below("top", "plain")));
        var max = Amounts.spent(100, 0, 0);
        done(
                scene.rules.spending.set(
                        scene.rules.ports, new SessionId("top"), max, BudgetPolicy.STOP));
        for (var name : List.of("mid", "plain", "top")) done(scene.stop(name));
        var before = List.of(scene.look("mid").limits(), scene.look("plain").limits());
        var removal = begin("top", with(Choice.Children.DETACH));
        advance();
        assertThat(scene.look("plain").limits()).isNotEqualTo(before.get(1));
        assertThat(budget("plain")).isPresent();
        done(
                scene.rules.spending.set(
                        scene.rules.ports, new SessionId("mid"), max, BudgetPolicy.REFUSE));
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(List.of(scene.look("mid").limits(), scene.look("plain").limits()))
                .isEqualTo(before);
        assertThat(budget("plain")).isEmpty();
        assertThat(budget("mid")).as("set after the detachment").isPresent();
    }

    private Optional<Budget> budget(String name) {
        return scene.store.read(() -> scene.store.budgets().budgetOf(new SessionId(name)));
    }

    @Test
    void a_join_counts_a_child_that_ended_while_the_waiting_session_was_hidden() {
        running(named("top"), ExecutionMode.ASYNC_POLL);
        var one = running(below("top", "one"), ExecutionMode.ASYNC_CALLBACK);
        running(below("top", "two"), ExecutionMode.ASYNC_CALLBACK);
        var until = new Join.Until(JoinKind.ANY, 1);
        var join = done(scene.join("top", until, Duration.ofHours(1), "one", "two"));
        done(scene.stop("top"));
        endAll("top");
        var removal = begin("top", with(Choice.Children.DETACH));
        advance();
        done(scene.finished(one, "done"));
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        var now = scene.store.read(() -> scene.store.joins().find(join.id()).orElseThrow());
        assertThat(now.isOpen()).isFalse();
    }

    private void endAll(String name) {
        var live = scene.store.read(() -> scene.store.runs().liveOf(new SessionId(name)));
        live.ifPresent(run -> {
            var lease = run.state().held();
            if (lease != null)
                done(scene.rules.report.stopped(run.id(), lease.holder(), "SIGTERM"));
        });
    }

    @Test
    void a_removal_includes_earlier_ones_below_it_which_cannot_be_undone_alone() {
        three();
        var inner = begin("mid", Choices.CAREFUL);
        advance();
        var outer = begin("top", Choices.CAREFUL);
        advance();
        var refusal =
                refused(scene.rules.undoRemoval.undo(inner.id(), UndoRemoval.Names.REFUSE, WHO));
        assertThat(refusal.said()).contains("its parent 'top' is itself removed by '" + outer.id());
        done(scene.rules.undoRemoval.undo(outer.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(isThere("mid")).isFalse();
        done(scene.rules.undoRemoval.undo(inner.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(isThere("leaf")).isTrue();
    }

    @Test
    void an_undo_with_a_name_in_use_is_refused_unless_it_may_rename() {
        three();
        var removal = begin("top", Choices.CAREFUL);
        advance();
        done(
                scene.run(
                        new dev.coppice.session.NewSession(
                                new SessionId("another"),
                                "top",
                                null,
                                dev.coppice.session.ParentReference.NONE,
                                dev.coppice.session.Profile.EMPTY,
                                Limits.NONE)));
        assertThat(
                        refused(
                                        scene.rules.undoRemoval.undo(
                                                removal.id(), UndoRemoval.Names.REFUSE, WHO))
                                .said())
                .contains("names already in use: 'top'");
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.RENAME, WHO));
        advance();
        assertThat(scene.look("top-2").id()).isEqualTo(new SessionId("top"));
        assertThat(scene.look("top").id()).isEqualTo(new SessionId("another"));
    }

    /** Defect 6: the result of a child is dropped in silence if its parent is removed before. */
    @Test
    void a_parent_removed_while_its_child_runs_leaves_a_dead_letter_that_an_undo_revives() {
        var boss = running(named("boss"), ExecutionMode.ASYNC_POLL);
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        done(scene.finished(boss, "waiting"));
        var removal = begin("boss", with(Choice.Children.DETACH));
        advance();
        assertThat(isThere("boss")).isFalse();
        assertThat(scene.look("kid").state()).isInstanceOf(SessionState.Running.class);
        var dead = scene.callbacks().getFirst();
        assertThat(dead.state()).isInstanceOf(CallbackState.Dead.class);
        assertThat(dead.state().why()).isEqualTo(removal.why());
        done(scene.finished(kid, "late"));
        assertThat(scene.deliver()).isZero();
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(scene.deliver()).isOne();
        assertThat(prompt(begun())).contains("late");
    }

    @Test
    void an_undo_holds_what_was_held_for_a_stopped_session() {
        var boss = running(named("boss"), ExecutionMode.ASYNC_POLL);
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        done(scene.stopped(boss));
        done(scene.finished(kid, "late"));
        var held = scene.callbacks().getFirst().state();
        assertThat(held).isInstanceOf(CallbackState.Held.class);
        var removal = begin("boss", Choices.CAREFUL);
        advance();
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(scene.callbacks().getFirst().state())
                .isInstanceOf(CallbackState.Held.class)
                .extracting(CallbackState::why)
                .isEqualTo(held.why());
    }

    /** The run of the child outlasts removal and undo, so its end is owed as usual. */
    @Test
    void a_child_that_ends_after_the_undo_wakes_its_parent() {
        var boss = running(named("boss"), ExecutionMode.ASYNC_POLL);
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        done(scene.finished(boss, "waiting"));
        var removal = begin("boss", with(Choice.Children.DETACH));
        advance();
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(scene.deliver()).isZero();
        done(scene.finished(kid, "in time"));
        assertThat(scene.deliver()).isOne();
        assertThat(prompt(begun())).contains("in time");
    }

    @Test
    void detached_children_keep_running_when_their_parent_is_stopped() {
        var boss = running(named("boss"), ExecutionMode.ASYNC_POLL);
        running(below("boss", "kid"), ExecutionMode.ASYNC_POLL);
        var removal = begin("boss", with(Choice.Children.DETACH));
        advance();
        done(scene.stopped(boss));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Hidden.class);
        assertThat(scene.look("kid").state()).isInstanceOf(SessionState.Running.class);
    }

    /** A restored session must not become part of another removal. */
    @Test
    void an_undo_below_a_tree_that_is_being_removed_is_refused() {
        finished(named("g"));
        finished(below("g", "p"));
        finished(below("p", "c"));
        var inner = begin("c", Choices.CAREFUL);
        advance();
        var outer = begin("g", Choices.CAREFUL);
        assertThat(refused(scene.rules.undoRemoval.undo(inner.id(), UndoRemoval.Names.REFUSE, WHO)))
                .isInstanceOf(RemovalRefusal.CannotBeUndone.class);
        advance();
        done(scene.rules.undoRemoval.undo(outer.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        done(scene.rules.undoRemoval.undo(inner.id(), UndoRemoval.Names.REFUSE, WHO));
    }

    @Test
    void a_removal_is_not_purged_before_the_earlier_ones_that_it_includes() {
        three();
        var inner = begin("mid", Choices.CAREFUL);
        advance();
        var outer = begin("top", Choices.CAREFUL);
        advance();
        var refusal = refused(scene.rules.removeTree.purgeNow(outer.id(), WHO));
        assertThat(refusal).isInstanceOf(RemovalRefusal.EarlierCanBeUndone.class);
        assertThat(refusal.said()).contains(inner.id() + "' of 'mid'");
        assertThat(audited()).anyMatch(line -> line.startsWith("removal.purge refused"));
        assertThat(look(outer).state()).isInstanceOf(RemovalState.Hidden.class);
        done(scene.rules.removeTree.purgeNow(inner.id(), WHO));
        done(scene.rules.removeTree.purgeNow(outer.id(), WHO));
        advance();
        assertThat(look(inner).state()).isInstanceOf(RemovalState.Purged.class);
        assertThat(look(outer).state()).isInstanceOf(RemovalState.Purged.class);
    }

    /** Holds also if the window is changed in between or the clock is set back. */
    @Test
    void an_undo_window_never_ends_before_that_of_an_included_removal() {
        three();
        var inner = begin("mid", Choices.CAREFUL);
        advance();
        scene.clock.pass(Duration.ofDays(-2));
        var outer = begin("top", Choices.CAREFUL);
        advance();
        var until = look(inner).times().undoUntil();
        assertThat(look(outer).times().undoUntil()).isEqualTo(until);
        scene.clock.pass(Duration.ofDays(7).plusHours(1));
        advance();
        assertThat(look(inner).state()).isInstanceOf(RemovalState.Hidden.class);
        assertThat(look(outer).state()).isInstanceOf(RemovalState.Hidden.class);
        scene.clock.pass(Duration.ofDays(2));
        advance();
        assertThat(look(inner).state()).isInstanceOf(RemovalState.Purged.class);
        assertThat(look(outer).state()).isInstanceOf(RemovalState.Purged.class);
    }

    @Test
    void a_removal_that_is_being_cancelled_is_not_joined() {
        running(named("top"), ExecutionMode.ASYNC_POLL);
        var removal = begin("top", STOPPING);
        done(scene.rules.removeTree.cancel(removal.id(), WHO, "never mind"));
        assertThat(
                        refused(
                                scene.rules.removeTree.begin(
                                        new SessionId("top"), request(STOPPING, null))))
                .isInstanceOf(RemovalRefusal.TreeIsBeingRemoved.class);
        assertThat(audited()).anyMatch(line -> line.startsWith("removal.ask refused"));
    }

    @Test
    void abandoning_hosts_of_a_removal_that_is_over_is_refused_and_audited() {
        three();
        var removal = begin("top", purging());
        advance();
        var not = refused(scene.rules.removeTree.abandonUnreachable(removal.id(), WHO, "enough"));
        assertThat(not).isInstanceOf(RemovalRefusal.CannotBeAbandoned.class);
        assertThat(audited()).anyMatch(line -> line.startsWith("removal.abandon refused"));
    }

    @Test
    void a_cancelled_removal_stops_no_further_session() {
        var top = running(named("top"), ExecutionMode.ASYNC_POLL);
        var kid = running(below("top", "kid"), ExecutionMode.ASYNC_POLL);
        var removal = begin("top", STOPPING);
        advance();
        done(scene.rules.removeTree.cancel(removal.id(), WHO, "never mind"));
        advance();
        done(scene.stopped(kid));
        assertThat(scene.look("top").state()).isInstanceOf(SessionState.Running.class);
        done(scene.run(below("top", "again")));
        done(scene.finished(top, "went on"));
    }

    @Test
    void callbacks_owed_to_removed_sessions_are_dead_lettered_with_the_reason() {
        var boss = running(named("boss"), ExecutionMode.ASYNC_POLL);
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        done(scene.finished(kid, "result"));
        done(scene.failed(boss, "broke"));
        var removal = begin("boss", Choices.CAREFUL);
        advance();
        var callback = scene.callbacks().getFirst();
        assertThat(callback.state()).isInstanceOf(CallbackState.Dead.class);
        assertThat(callback.state().why())
                .isEqualTo("removed by %s: because".formatted(removal.id()));
        assertThat(scene.deliver()).isZero();
    }

    @Test
    void a_parent_outside_the_tree_learns_of_the_removal_and_of_the_undo() {
        var boss = running(named("boss"), ExecutionMode.ASYNC_POLL);
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        done(scene.finished(kid, "result"));
        var removal = begin("kid", Choices.CAREFUL);
        advance();
        done(scene.finished(boss, "waiting"));
        assertThat(scene.deliver()).isOne();
        var woken = begun();
        assertThat(prompt(woken))
                .contains("<agent-callback session=\"kid\" status=\"failed\">")
                .contains("Removed: removed by " + removal.id());
        done(scene.finished(woken, "all right"));
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(scene.deliver()).isOne();
        assertThat(prompt(begun())).contains("status=\"restored\"");
    }

    /** The parent must not take the stop for a failure that it has to repair. */
    @Test
    void an_idle_parent_learns_of_the_removal_of_its_child_but_not_of_the_stop() {
        done(scene.finished(running(named("boss"), ExecutionMode.ASYNC_POLL), "waiting"));
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        var removal = begin("kid", with(Choice.Children.CASCADE));
        advance();
        done(scene.stopped(kid));
        scene.deliver();
        assertThat(scene.claim(runner)).as("the parent is not woken yet").isEmpty();
        advance();
        assertThat(scene.deliver()).isOne();
        var woken = begun();
        assertThat(prompt(woken))
                .contains("Removed: removed by " + removal.id())
                .doesNotContain("Stopped");
        done(scene.finished(woken, "all right"));
        assertThat(scene.deliver()).isZero();
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(scene.deliver()).isOne();
        assertThat(prompt(begun())).contains("status=\"restored\"", "Stopped");
    }

    /** The parent belongs to the tree itself, whose removal is cancelled. */
    @Test
    void a_parent_within_a_cancelled_removal_learns_of_the_end_of_its_child() {
        done(scene.finished(running(named("boss"), ExecutionMode.ASYNC_POLL), "waiting"));
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        var removal = begin("boss", with(Choice.Children.CASCADE));
        scene.rules.removalSteps.advance();
        done(scene.failed(kid, "broke"));
        scene.deliver();
        done(scene.rules.removeTree.cancel(removal.id(), WHO, "enough"));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.TakenBack.class);
        scene.clock.pass(Duration.ofSeconds(3));
        assertThat(scene.deliver()).isOne();
        assertThat(prompt(begun())).contains("broke");
    }

    /** A later removal does not lose the result. */
    @Test
    void a_parent_gets_the_result_of_a_child_that_finished_before_it_was_hidden() {
        var boss = running(named("boss"), ExecutionMode.ASYNC_POLL);
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        done(scene.finished(kid, "its result"));
        begin("kid", Choices.CAREFUL);
        done(scene.finished(boss, "waiting"));
        assertThat(scene.deliver()).isOne();
        assertThat(prompt(begun())).contains("its result");
    }

    /** Holds however long the removal waits. */
    @Test
    void a_callback_held_up_by_a_removal_is_retried_less_and_less_often() {
        done(scene.finished(running(named("boss"), ExecutionMode.ASYNC_POLL), "waiting"));
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        begin("kid", with(Choice.Children.CASCADE));
        scene.rules.removalSteps.advance();
        done(scene.stopped(kid));
        int before = scene.entries().size();
        for (int i = 0; i < 3600; i++) {
            scene.clock.pass(Duration.ofSeconds(1));
            scene.deliver();
        }
        assertThat(scene.claim(runner)).isEmpty();
        assertThat(scene.entries().size() - before).isLessThan(30);
    }

    @Test
    void a_parent_learns_of_the_stop_of_its_child_if_the_removal_is_cancelled() {
        done(scene.finished(running(named("boss"), ExecutionMode.ASYNC_POLL), "waiting"));
        var kid = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        var removal = begin("kid", with(Choice.Children.CASCADE));
        scene.rules.removalSteps.advance();
        done(scene.stopped(kid));
        scene.deliver();
        done(scene.rules.removeTree.cancel(removal.id(), WHO, "enough"));
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.TakenBack.class);
        assertThat(scene.deliver()).isOne();
        assertThat(prompt(begun())).contains("Stopped").doesNotContain("Removed");
    }

    @Test
    void a_parent_outside_the_tree_learns_of_a_restore_from_a_file() {
        var boss = running(named("boss"), ExecutionMode.ASYNC_POLL);
        done(scene.finished(running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK), "result"));
        var kid = scene.look("kid");
        var removal = begin("kid", purging());
        advance();
        done(scene.finished(boss, "waiting"));
        scene.deliver();
        done(scene.finished(begun(), "all right"));
        fromFile(look(removal), kid, null, Duration.ofSeconds(90));
        assertThat(isThere("kid")).isTrue();
        assertThat(scene.deliver()).isOne();
        assertThat(prompt(begun())).contains("status=\"restored\"");
    }

    /** The parent was busy all the time, so it learns only of the end of its child. */
    @Test
    void a_parent_unaware_of_a_removal_gets_the_original_callback_after_the_restore() {
        var boss = running(named("boss"), ExecutionMode.ASYNC_POLL);
        var claim = running(below("boss", "kid"), ExecutionMode.ASYNC_CALLBACK);
        done(scene.finished(claim, "its result"));
        var kid = scene.look("kid");
        var run = scene.store.read(() -> scene.store.runs().latestOf(kid.id()).orElseThrow());
        var removal = begin("kid", purging());
        advance();
        assertThat(look(removal).state()).isInstanceOf(RemovalState.Purged.class);
        fromFile(look(removal), kid, run, Duration.ZERO);
        done(scene.finished(boss, "waiting"));
        assertThat(scene.deliver()).isOne();
        assertThat(prompt(begun())).contains("its result").doesNotContain("Removed", "restored");
    }

    private void fromFile(Removal gone, Session kid, @Nullable Run run, Duration pause) {
        var restore = scene.rules.restoreTree;
        var file = new Removal.Backup("kid.coppice", "0123456789abcdef", 1);
        var request =
                new RestoreTree.Request(
                        gone.top(), 1, gone.taken(), file, UndoRemoval.Names.REFUSE);
        var named = new RestoreTree.Named(kid.id(), kid.name());
        var begun = done(restore.begin(request, HeldTreeRows.fileContents(List.of(named)), WHO));
        restore.insertRows(begun.id(), TreeRows.Table.SESSIONS, List.of(HeldTreeRows.row(kid)));
        if (run != null) {
            restore.insertRows(begun.id(), TreeRows.Table.RUNS, List.of(HeldTreeRows.row(run)));
        }
        // A large file takes longer than the timeout of a silent restore.
        for (int i = 0; i < 3; i++) {
            scene.clock.pass(pause);
            restore.keepAlive(begun.id());
            advance();
        }
        done(restore.finish(begun.id(), UndoRemoval.Names.REFUSE, null));
        advance();
    }

    private static String prompt(Claim claim) {
        return PlainPrompting.promptOf(claim.run().task().parameters());
    }

    @Test
    void overriding_needs_a_reason() {
        finished(named("top"));
        var choices =
                new Choices(
                        Choice.Children.CASCADE,
                        Choice.Running.STOP,
                        Choice.Critical.OVERRIDE,
                        Choice.Purge.LATER,
                        Choice.Unreachable.WAIT,
                        Choices.DEADLINE,
                        Choices.Preservation.ALL);
        var request = new RemoveTree.Request(choices, WHO, " ", null, InspectedWork.NOTHING);
        assertThat(refused(scene.rules.removeTree.begin(new SessionId("top"), request)))
                .isInstanceOf(RemovalRefusal.ReasonMissing.class);
    }

    private List<String> audited() {
        return scene.store.read(() -> scene.store.audit().after(0, null, 1000)).stream()
                .map(AuditRecord::act)
                .map(a ->
                        "%s %s by %s"
                                .formatted(
                                        a.what().act(),
                                        a.decision().allowed() ? "allowed" : "refused",
                                        a.who().name()))
                .toList();
    }

    @Test
    void retention_removes_trees_that_ended_long_ago() {
        three();
        finished(named("young"));
        var retention = scene.rules.retention;
        scene.clock.pass(Duration.ofDays(31));
        running(below("young", "busy"), ExecutionMode.ASYNC_POLL);
        assertThat(retention.sweep(Duration.ofDays(30))).isEqualTo(2);
        advance();
        assertThat(isThere("top")).isFalse();
        assertThat(isThere("young")).isTrue();
        assertThat(retention.sweep(Duration.ofDays(30))).isZero();
    }

    @Test
    void every_decision_and_every_step_is_audited() {
        three();
        running(below("top", "busy"), ExecutionMode.ASYNC_POLL);
        refused(scene.rules.removeTree.begin(new SessionId("top"), request(Choices.CAREFUL, null)));
        done(scene.stop("busy"));
        done(scene.stopped(busy()));
        var removal = begin("top", Choices.CAREFUL);
        advance();
        refused(scene.rules.removeTree.cancel(removal.id(), WHO, "too late"));
        done(scene.rules.undoRemoval.undo(removal.id(), UndoRemoval.Names.REFUSE, WHO));
        advance();
        assertThat(audited())
                .containsExactly(
                        "removal.ask refused by tester",
                        "removal.ask allowed by tester",
                        "removal.quiescing allowed by coppice",
                        "removal.preserving allowed by coppice",
                        "removal.backing_up allowed by coppice",
                        "removal.hiding allowed by coppice",
                        "removal.hidden allowed by coppice",
                        "removal.cancel refused by tester",
                        "removal.undoing allowed by tester",
                        "removal.undone allowed by coppice");
    }

    private Claim busy() {
        var run = scene.store.read(() -> scene.store.runs().liveOf(new SessionId("busy")));
        var lease = java.util.Objects.requireNonNull(run.orElseThrow().state().held());
        return new Claim(run.orElseThrow(), scene.look("busy"), lease, Limits.NONE);
    }
}
