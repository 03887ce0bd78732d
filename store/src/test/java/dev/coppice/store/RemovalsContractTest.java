package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackId;
import dev.coppice.callback.CallbackState;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals.AnnouncementOrder;
import dev.coppice.run.RunFilter;
import dev.coppice.run.RunState;
import dev.coppice.session.Limits;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.SessionState;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.wiring.Store;
import dev.coppice.word.Choice;
import dev.coppice.word.WhenBusy;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** The contract of every store for removals. */
class RemovalsContractTest {
    private static final int ROUNDS = 10;
    private static final Session OVER = Given.root("over");
    private static final Session TOP = Given.child(OVER, "top");
    private static final Session MID = Given.child(TOP, "mid");
    private static final Session LEAF = Given.child(MID, "leaf");
    private static final Removal REMOVAL =
            new Removal(
                    new RemovalId("rem_1"),
                    new Removal.Top(TOP.id(), TOP.name(), OVER.id()),
                    Choices.CAREFUL,
                    new Removal.Order("tester", "because", true, "seen"),
                    new Removal.Taken(3, 1, 2, 20),
                    "digest",
                    new RemovalState.Fencing(Given.T, null),
                    new Removal.Times(Given.T, null, null, null),
                    null);

    private static void write(Store store, Runnable what) {
        store.transactions()
                .write(() -> {
                    what.run();
                    return 0;
                });
    }

    private static <T> T read(Store store, Supplier<T> what) {
        return store.transactions().read(what);
    }

    private static Removal in(RemovalState state) {
        boolean hidden = state.hidesSessions();
        var until = state instanceof RemovalState.Hidden(_, var at) ? at : null;
        return new Removal(
                REMOVAL.id(),
                REMOVAL.top(),
                REMOVAL.choices(),
                REMOVAL.order(),
                REMOVAL.taken(),
                REMOVAL.digest(),
                state,
                new Removal.Times(
                        Given.T,
                        hidden ? Given.T : null,
                        until,
                        state.isOver() ? state.since() : null),
                null);
    }

    /** A tree of ended sessions, one with a run and an event, all enlisted. */
    private static void enlisted(Store store) {
        write(
                store,
                () -> {
                    for (var s : List.of(OVER, TOP, MID, LEAF)) {
                        store.sessions()
                                .add(Given.in(s, new SessionState.Finished(Given.T, "done")));
                    }
                    var run = Given.run("run_1", LEAF);
                    store.runs().add(run);
                    store.runs()
                            .save(Given.in(run, new RunState.Stopped(Given.T, "stopped", null)));
                    store.journal().append(LEAF.id(), null, new Fact.RunStarted(), Given.T);
                    store.removals().add(REMOVAL);
                    assertThat(store.removals().enlist(REMOVAL, 1)).isOne();
                    assertThat(store.removals().enlist(REMOVAL, 10)).isEqualTo(2);
                    assertThat(store.removals().enlist(REMOVAL, 10)).isZero();
                });
    }

    private static List<String> names(Store store) {
        return read(
                store,
                () ->
                        store.sessions().list(SessionFilter.ALL, Cursor.first(50)).items().stream()
                                .map(Session::name)
                                .toList());
    }

    private static List<Entry> entries(Store store) {
        return read(store, () -> store.journal().after(0, Journal.Scope.ALL, 100));
    }

    @ParameterizedTest
    @EnumSource
    void a_removal_comes_back_as_stored(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var states =
                    List.of(
                            new RemovalState.Fencing(Given.T, null),
                            new RemovalState.Quiescing(Given.T, "waits"),
                            new RemovalState.Detaching(Given.T),
                            new RemovalState.TakingBack(Given.T, "why"),
                            new RemovalState.TakenBack(Given.T, "why"),
                            new RemovalState.Undoing(Given.T),
                            new RemovalState.Undone(Given.T));
            for (var state : states) {
                write(store, () -> store.removals().save(in(state)));
                assertThat(read(store, () -> store.removals().find(REMOVAL.id())))
                        .contains(in(state));
            }
            assertThat(read(store, () -> store.removals().list(Cursor.first(10)).items()))
                    .containsExactly(in(new RemovalState.Undone(Given.T)));
            var tries = new Removal.Tries(2, Given.T.plusSeconds(30));
            var tried = in(new RemovalState.BackingUp(Given.T, "no room")).with(tries);
            write(store, () -> store.removals().save(tried));
            assertThat(read(store, () -> store.removals().find(REMOVAL.id()))).contains(tried);
            assertThat(read(store, () -> store.removals().due(Given.T, 10))).isEmpty();
            assertThat(read(store, () -> store.removals().due(Given.T.plusSeconds(30), 10)))
                    .containsExactly(tried);
            write(store, () -> store.removals().save(in(new RemovalState.Undone(Given.T))));
            write(store, () -> store.removals().release(REMOVAL.id(), 10));
        }
    }

    @ParameterizedTest
    @EnumSource
    void members_are_enlisted_and_released(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            assertThat(read(store, () -> store.removals().members(REMOVAL.id(), Cursor.first(9))))
                    .satisfies(page ->
                            assertThat(page.items())
                                    .containsExactly(
                                            new Member(
                                                    TOP.id(),
                                                    "top",
                                                    OVER.id(),
                                                    "finished",
                                                    0,
                                                    false),
                                            new Member(
                                                    MID.id(),
                                                    "mid",
                                                    TOP.id(),
                                                    "finished",
                                                    0,
                                                    false),
                                            new Member(
                                                    LEAF.id(),
                                                    "leaf",
                                                    MID.id(),
                                                    "finished",
                                                    1,
                                                    false)));
            write(store, () -> store.removals().givenUp(REMOVAL.id(), MID.id()));
            assertThat(read(store, () -> store.removals().members(REMOVAL.id(), Cursor.first(9))))
                    .satisfies(page ->
                            assertThat(page.items())
                                    .extracting(Member::givenUp)
                                    .containsExactly(false, true, false));
            assertThat(read(store, () -> store.sessions().find(MID.id()).orElseThrow()))
                    .satisfies(s -> assertThat(s.standing().removal()).isEqualTo("rem_1"));
            assertThat(read(store, () -> store.removals().of(LEAF.id()))).contains(REMOVAL);
            assertThat(read(store, () -> store.removals().underWayBelow(OVER.id())))
                    .contains(REMOVAL);
            assertThat(read(store, () -> store.removals().underWayBelow(TOP.id()))).isEmpty();
            write(
                    store,
                    () -> {
                        assertThat(store.removals().release(REMOVAL.id(), 2)).isEqualTo(2);
                        // The top is released last.
                        assertThat(store.sessions().find(TOP.id()).orElseThrow().standing())
                                .satisfies(s -> assertThat(s.removal()).isEqualTo("rem_1"));
                        assertThat(store.removals().release(REMOVAL.id(), 2)).isOne();
                        assertThat(store.removals().release(REMOVAL.id(), 2)).isZero();
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void one_row_hides_the_whole_tree_and_shows_it_again(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var before = names(store);
            var said = entries(store);
            write(store, () -> store.removals().save(in(new RemovalState.Hiding(Given.T))));
            assertThat(names(store)).containsExactly("over");
            assertThat(read(store, () -> store.sessions().find(LEAF.id()))).isEmpty();
            assertThat(read(store, () -> store.sessions().named("leaf"))).isEmpty();
            assertThat(read(store, () -> store.sessions().countDescendants(OVER.id()))).isZero();
            assertThat(read(store, () -> store.runs().list(RunFilter.ALL, Cursor.first(9)).items()))
                    .isEmpty();
            assertThat(entries(store)).isEmpty();
            write(store, () -> store.removals().save(in(new RemovalState.Undoing(Given.T))));
            assertThat(names(store)).isEqualTo(before);
            assertThat(entries(store)).isEqualTo(said);
        }
    }

    private static List<DirectoryTask.Place> asked(DirectoryTasks tasks, DirectoryTask.Kind kind) {
        return tasks.claimable("host", new RunnerId("r"), Given.T, 9).stream()
                .map(e -> tasks.find(e).orElseThrow())
                .filter(e -> e.kind() == kind)
                .flatMap(e -> e.places().stream())
                .toList();
    }

    private static WorkItem shared(String session, WorkItem.@Nullable Preserved preserved) {
        return new WorkItem(
                "host",
                "/shared",
                WorkItem.Kind.GIT,
                List.of(session),
                new WorkItem.Counts(1, 0, 0, 0, 0, 1, 0),
                "print",
                new WorkItem.Tip(null, null),
                preserved,
                List.of(),
                List.of());
    }

    private static void worksIn(Store store, String directory, Session... sessions) {
        for (var session : sessions) {
            var made = Workplace.Made.BY_OTHERS;
            store.workplaces().note(new Workplace(session.id(), "host", directory, made, "/runs"));
        }
    }

    /** Each session has output of its own, and each finds the preserved work under its name. */
    @ParameterizedTest
    @EnumSource
    void a_shared_directory_is_preserved_once_for_all_sessions(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var tasks = store.tasks();
            var terms = DirectoryTask.Terms.at(Given.T);
            write(
                    store,
                    () -> {
                        worksIn(store, "/shared", TOP, MID);
                        var id = REMOVAL.id().value();
                        assertThat(tasks.create(id, DirectoryTask.Kind.PRESERVE, terms, 1)).isOne();
                        assertThat(tasks.create(id, DirectoryTask.Kind.PRESERVE, terms, 1)).isOne();
                        assertThat(tasks.create(id, DirectoryTask.Kind.PRESERVE, terms, 1))
                                .isZero();
                        var first = tasks.claimable("host", new RunnerId("r"), Given.T, 9);
                        assertThat(asked(tasks, DirectoryTask.Kind.PRESERVE))
                                .extracting(DirectoryTask.Place::again)
                                .containsExactly(false);
                        var preserved = new WorkItem.Preserved("refs/x", "/shared", null, null, 0);
                        tasks.complete(
                                first.getFirst(), Given.T, List.of(shared("top", preserved)));
                        tasks.giveUp(
                                id, DirectoryTask.Kind.PRESERVE, Given.T, "no runner answered");
                        // The second task becomes claimable now that the first has preserved
                        // something.
                        var then = tasks.claimable("host", new RunnerId("r"), Given.T, 9);
                        assertThat(asked(tasks, DirectoryTask.Kind.PRESERVE))
                                .extracting(DirectoryTask.Place::again)
                                .containsExactly(true);
                        tasks.complete(then.getFirst(), Given.T, List.of(shared("mid", null)));
                        assertThat(tasks.found(id, Cursor.first(9)).items())
                                .singleElement()
                                .satisfies(i -> assertThat(i.sessions()).contains("top", "mid"))
                                .satisfies(i -> assertThat(i.preserved()).isEqualTo(preserved));
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_unacknowledged_task_soon_becomes_claimable_by_other_runners(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var tasks = store.tasks();
            var one = new RunnerId("r");
            var other = new RunnerId("s");
            var soon = Given.T.plusSeconds(3);
            write(
                    store,
                    () -> {
                        worksIn(store, "/shared", TOP);
                        var id = REMOVAL.id().value();
                        tasks.create(
                                id,
                                DirectoryTask.Kind.PRESERVE,
                                DirectoryTask.Terms.at(Given.T),
                                9);
                        var keep = tasks.idsOf(id, DirectoryTask.Kind.PRESERVE).getFirst();
                        assertThat(tasks.tryClaim(keep, one, Given.T)).isTrue();
                        assertThat(tasks.awaitsAcknowledgement("host", one, Given.T)).isTrue();
                        assertThat(tasks.claimable("host", other, Given.T, 9)).isEmpty();
                        assertThat(tasks.claimable("host", other, soon, 9)).containsExactly(keep);
                        tasks.acknowledge("host", other, Given.T);
                        assertThat(tasks.claimable("host", other, soon, 9)).containsExactly(keep);
                        tasks.acknowledge("host", one, Given.T);
                        assertThat(tasks.awaitsAcknowledgement("host", one, Given.T)).isFalse();
                        assertThat(tasks.claimable("host", other, soon, 9)).isEmpty();
                        assertThat(tasks.claimable("host", one, soon, 9)).isEmpty();
                        var later = Given.T.plusSeconds(5);
                        assertThat(tasks.claimable("host", one, later, 9)).containsExactly(keep);
                    });
        }
    }

    /** A claimed task continues, and the work it reports afterwards is released too. */
    @ParameterizedTest
    @EnumSource
    void cancelling_leaves_only_claimed_tasks_open(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var tasks = store.tasks();
            var terms = DirectoryTask.Terms.at(Given.T);
            var id = REMOVAL.id().value();
            write(
                    store,
                    () -> {
                        worksIn(store, "/shared", TOP, MID);
                        tasks.create(id, DirectoryTask.Kind.PRESERVE, terms, 1);
                        tasks.create(id, DirectoryTask.Kind.PRESERVE, terms, 1);
                        var keeps = tasks.idsOf(id, DirectoryTask.Kind.PRESERVE);
                        assertThat(tasks.tryClaim(keeps.getFirst(), new RunnerId("r"), Given.T))
                                .isTrue();
                        tasks.giveUp(
                                id, DirectoryTask.Kind.PRESERVE, Given.T, "no runner answered");
                        assertThat(keeps).as("queued behind a claimed one").allMatch(tasks::isOpen);
                        tasks.cancelUnclaimed(
                                id,
                                DirectoryTask.Kind.PRESERVE,
                                Given.T,
                                "the removal was cancelled");
                        assertThat(keeps).filteredOn(tasks::isOpen).hasSize(1);
                        assertThat(tasks.isOpen(keeps.getFirst())).isTrue();
                        assertThat(tasks.create(id, DirectoryTask.Kind.RELEASE, terms, 9))
                                .isEqualTo(2);
                        assertThat(tasks.create(id, DirectoryTask.Kind.RELEASE, terms, 9)).isZero();
                        assertThat(asked(tasks, DirectoryTask.Kind.RELEASE))
                                .as("releases before the work is preserved")
                                .isEmpty();
                        var preserved =
                                new WorkItem.Preserved("refs/x", "/shared/own", null, null, 0);
                        tasks.complete(
                                keeps.getFirst(), Given.T, List.of(shared("top", preserved)));
                        assertThat(tasks.create(id, DirectoryTask.Kind.RELEASE, terms, 9)).isOne();
                        assertThat(asked(tasks, DirectoryTask.Kind.RELEASE)).hasSize(3);
                    });
        }
    }

    /** Holds however few places one call may cover. */
    @ParameterizedTest
    @EnumSource
    void a_shared_directory_is_inspected_once(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var tasks = store.tasks();
            var terms = DirectoryTask.Terms.at(Given.T);
            write(
                    store,
                    () -> {
                        worksIn(store, "/shared", TOP, MID);
                        worksIn(store, "/own", LEAF);
                        var id = REMOVAL.id().value();
                        assertThat(tasks.create(id, DirectoryTask.Kind.INSPECT, terms, 1)).isOne();
                        assertThat(tasks.create(id, DirectoryTask.Kind.INSPECT, terms, 1)).isOne();
                        assertThat(tasks.create(id, DirectoryTask.Kind.INSPECT, terms, 1)).isZero();
                        assertThat(asked(tasks, DirectoryTask.Kind.INSPECT))
                                .extracting(DirectoryTask.Place::directory)
                                .containsExactly("/shared", "/own");
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void members_are_informed_once_per_round(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var removals = store.removals();
            write(
                    store,
                    () -> {
                        removals.markAllUnannounced(REMOVAL.id());
                        assertThat(
                                        removals.unannounced(
                                                REMOVAL.id(), AnnouncementOrder.PARENTS_FIRST, 2))
                                .extracting(Member::name)
                                .containsExactly("top", "mid");
                        assertThat(
                                        removals.unannounced(
                                                REMOVAL.id(), AnnouncementOrder.CHILDREN_FIRST, 2))
                                .extracting(Member::name)
                                .containsExactly("leaf", "mid");
                        removals.markAnnounced(REMOVAL.id(), TOP.id());
                        assertThat(removals.countUnannounced(REMOVAL.id())).isEqualTo(2);
                        removals.markAllUnannounced(REMOVAL.id());
                        assertThat(removals.countUnannounced(REMOVAL.id())).isEqualTo(3);
                    });
        }
    }

    /** A follower of the tree must receive the events even after the session is purged. */
    @ParameterizedTest
    @EnumSource
    void events_about_purged_sessions_outlive_their_rows(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var purging = in(new RemovalState.Purging(Given.T, null));
            write(
                    store,
                    () -> {
                        store.removals().save(in(new RemovalState.Hiding(Given.T)));
                        var fact = new Fact.SessionDeleted("rem_1", "leaf", 1);
                        store.journal().appendAbout(LEAF.id(), fact, Given.T);
                        store.removals().save(purging);
                    });
            write(store, () -> purge(store, purging));
            var scope = new Journal.Scope(null, OVER.id());
            assertThat(read(store, () -> store.journal().after(0, scope, 100)))
                    .extracting(Entry::session)
                    .containsExactly(LEAF.id());
            assertThat(read(store, () -> store.removals().of(LEAF.id()))).contains(purging);
            write(
                    store,
                    () -> {
                        // The id is free again.
                        store.sessions().add(Given.child(OVER, "leaf"));
                        assertThat(store.runs().latestOf(LEAF.id())).isEmpty();
                    });
        }
    }

    private static void purge(Store store, Removal removal) {
        boolean more = true;
        for (int i = 0; more && i < 100; i++) more = store.removals().purgeSome(removal, 2);
        assertThat(more).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void a_returning_session_whose_name_was_taken_is_renamed(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            write(store, () -> store.removals().save(in(new RemovalState.Hiding(Given.T))));
            write(
                    store,
                    () -> {
                        var other = Given.root("other");
                        store.sessions().add(other.named("mid"));
                        assertThat(store.removals().takenNames(REMOVAL.id()))
                                .containsExactly("mid");
                        store.removals().giveNamesBack(REMOVAL.id());
                        store.removals().save(in(new RemovalState.Undoing(Given.T)));
                    });
            assertThat(read(store, () -> store.sessions().find(MID.id()).orElseThrow().name()))
                    .isEqualTo("mid-2");
            assertThat(read(store, () -> store.sessions().named("mid").orElseThrow().id()))
                    .isEqualTo(new SessionId("other"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_subtree_can_be_detached_and_attached_again(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            write(
                    store,
                    () -> {
                        for (var s : List.of(OVER, TOP, MID, LEAF)) store.sessions().add(s);
                    });
            var before = read(store, () -> store.sessions().ancestry(LEAF.id()));
            write(
                    store,
                    () ->
                            store.sessions()
                                    .detach(
                                            MID.id(),
                                            Limits.NONE
                                                    .with(Limits.Kind.DEPTH, 2)
                                                    .with(Limits.Kind.CHILDREN, 3)
                                                    .with(Limits.Kind.DESCENDANTS, 4)
                                                    .with(Limits.Kind.RUNS, 5)));
            var leaf = read(store, () -> store.sessions().find(LEAF.id()).orElseThrow());
            assertThat(leaf.place().path()).isEqualTo("mid.leaf");
            assertThat(leaf.place().depth()).isOne();
            assertThat(read(store, () -> store.sessions().find(MID.id()).orElseThrow().limits()))
                    .isEqualTo(
                            Limits.NONE
                                    .with(Limits.Kind.DEPTH, 2)
                                    .with(Limits.Kind.CHILDREN, 3)
                                    .with(Limits.Kind.DESCENDANTS, 4)
                                    .with(Limits.Kind.RUNS, 5));
            assertThat(leaf.place().root()).isEqualTo(MID.id());
            var over = read(store, () -> store.sessions().ancestry(TOP.id()));
            assertThat(over.getFirst().livingChildren()).isZero();
            assertThat(over.getLast().livingBelow()).isOne();
            assertThat(read(store, () -> store.sessions().isWithin(LEAF.id(), TOP.id()))).isFalse();
            write(store, () -> store.sessions().attach(MID.id(), TOP.id(), Limits.NONE));
            assertThat(read(store, () -> store.sessions().ancestry(LEAF.id())))
                    .extracting(a -> a.session().place())
                    .isEqualTo(before.stream().map(a -> a.session().place()).toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_survey_counts_the_subtree(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var cascade = Choice.Children.CASCADE;
            var found = read(store, () -> store.removals().survey(TOP.id(), cascade));
            assertThat(found.sessions()).isEqualTo(3);
            assertThat(found.sessionsByState()).containsEntry("finished", 3L);
            assertThat(found.runs()).isOne();
            assertThat(found.liveRuns()).isZero();
            assertThat(found.events()).isOne();
            // The store in memory does not count bytes.
            if (stores != Stores.MEMORY) assertThat(found.eventBytes()).isPositive();
            assertThat(found.openCallbacks()).isZero();
            var owed = new CallbackState.Owed(Given.T, Given.T);
            var message = new About.Message("hear", OVER.id(), WhenBusy.QUEUE);
            var callback = new CallbackId("cb_1");
            write(
                    store,
                    () ->
                            store.callbacks()
                                    .add(
                                            new Callback(
                                                    callback, LEAF.id(), message, owed, 0,
                                                    Given.T)));
            assertThat(
                            read(store, () -> store.removals().survey(TOP.id(), cascade))
                                    .openCallbacks())
                    .isOne();
            var end = new About.ChildEnd(LEAF.id(), new RunId("run_1"));
            var another = new Callback(new CallbackId("cb_2"), TOP.id(), end, owed, 0, Given.T);
            write(store, () -> store.callbacks().add(another));
            assertThat(read(store, () -> store.callbacks().messagesWithin(TOP.id(), 9)))
                    .extracting(Callback::id)
                    .containsExactly(callback);
            assertThat(read(store, () -> store.callbacks().messagesWithin(OVER.id(), 9)))
                    .hasSize(1);
            var detach = Choice.Children.DETACH;
            assertThat(read(store, () -> store.removals().survey(TOP.id(), detach)).sessions())
                    .isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void closed_undo_windows_and_old_ended_trees_are_due(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var later = Given.T.plusSeconds(60);
            var before = Given.T.plusMillis(1);
            assertThat(read(store, () -> store.removals().endedTrees(before, 9)))
                    .containsExactly(OVER.id());
            assertThat(read(store, () -> store.removals().endedTrees(Given.T, 9))).isEmpty();
            write(store, () -> store.sessions().add(Given.child(OVER, "alive")));
            assertThat(read(store, () -> store.removals().endedTrees(before, 9))).isEmpty();
            assertThat(read(store, () -> store.removals().due(Given.T, 9))).hasSize(1);
            write(store, () -> store.removals().save(in(new RemovalState.Hiding(Given.T))));
            write(store, () -> store.removals().save(in(new RemovalState.Hidden(Given.T, later))));
            assertThat(read(store, () -> store.removals().due(later.minusMillis(1), 9))).isEmpty();
            assertThat(read(store, () -> store.removals().due(later, 9))).hasSize(1);
        }
    }

    /** Whichever comes first, every visible session has one name, and no name has two sessions. */
    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void names_stay_unique_when_one_is_taken_during_an_undo(Stores stores) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (var opened = stores.open(_ -> {});
                    var both = Executors.newVirtualThreadPerTaskExecutor()) {
                var store = opened.store();
                enlisted(store);
                write(store, () -> store.removals().save(in(new RemovalState.Hiding(Given.T))));
                var back = both.submit(() -> write(store, () -> comesBack(store)));
                var taken = both.submit(() -> write(store, () -> takes(store, "mid")));
                back.get();
                taken.get();
                assertThat(names(store)).doesNotHaveDuplicates().noneMatch(n -> n.contains(" "));
                write(store, () -> store.removals().release(REMOVAL.id(), 10));
                write(store, () -> store.removals().save(in(new RemovalState.Undone(Given.T))));
            }
        }
    }

    private static void comesBack(Store store) {
        assertThat(store.removals().find(REMOVAL.id())).isPresent();
        store.removals().giveNamesBack(REMOVAL.id());
        store.removals().save(in(new RemovalState.Undoing(Given.T)));
    }

    private static void takes(Store store, String name) {
        if (store.sessions().named(name).isPresent()) return;
        store.sessions().add(Given.root("other").named(name));
    }

    /** The safety net under a purge: deleting a row deletes its dependent rows. */
    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void the_schema_cascades_to_descendants_and_their_rows(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            write(
                    store,
                    () -> {
                        store.removals().release(REMOVAL.id(), 10);
                        store.removals().save(in(new RemovalState.TakenBack(Given.T, "why")));
                        Tx.call(Sql.of("delete from any_session where id = 'top'")).update();
                    });
            assertThat(names(store)).containsExactly("over");
            for (var table : List.of("run", "event where session is not null")) {
                var left = Sql.of("select count(*) from " + table);
                assertThat(read(store, () -> Tx.call(left).number())).as(table).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void old_inspections_and_copies_are_deleted(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var tasks = store.tasks();
            write(
                    store,
                    () -> {
                        worksIn(store, "/d", TOP);
                        var terms = DirectoryTask.Terms.at(Given.T);
                        var top = new DirectoryTasks.Around(TOP.id(), DirectoryTasks.Reach.ALONE);
                        tasks.inspect(top, DirectoryTask.Kind.INSPECT, terms, 9);
                        tasks.inspect(top, DirectoryTask.Kind.COPY, terms, 9);
                        tasks.create(REMOVAL.id().value(), DirectoryTask.Kind.PRESERVE, terms, 9);
                        var id = REMOVAL.id().value();
                        var keep = tasks.idsOf(id, DirectoryTask.Kind.PRESERVE).getFirst();
                        assertThat(tasks.find(keep).orElseThrow().removal()).isEqualTo(id);
                        // Work that was only inspected must not count as preserved.
                        tasks.create(id, DirectoryTask.Kind.INSPECT, terms, 9);
                        var look = tasks.idsOf(id, DirectoryTask.Kind.INSPECT).getFirst();
                        assertThat(tasks.find(look).orElseThrow().removal()).isNull();
                        tasks.delete(List.of(look));
                        var later = Given.T.plusMillis(1);
                        assertThat(tasks.deleteInspections(later, Given.T)).isOne();
                        assertThat(tasks.deleteInspections(later, later)).isOne();
                        assertThat(tasks.deleteInspections(later, later)).isZero();
                    });
            write(store, () -> store.removals().release(REMOVAL.id(), 10));
            write(store, () -> store.removals().save(in(new RemovalState.TakenBack(Given.T, "w"))));
        }
    }

    @ParameterizedTest
    @EnumSource
    void confirmed_directory_states_come_back_as_stored(Stores stores) {
        var states =
                List.of(
                        new WorkItem.State("host", "/a", "one"),
                        new WorkItem.State("host", "/b", "two"),
                        new WorkItem.State("other", "/a", "one"));
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            var id = REMOVAL.id().value();
            write(store, () -> store.workplaces().confirmed(id, states));
            assertThat(read(store, () -> store.workplaces().confirmed(id)))
                    .containsExactlyInAnyOrderElementsOf(states);
            assertThat(read(store, () -> store.workplaces().confirmed("rem_9"))).isEmpty();
            write(store, () -> store.workplaces().forgetConfirmed(id));
            assertThat(read(store, () -> store.workplaces().confirmed(id))).isEmpty();
            write(store, () -> store.removals().release(REMOVAL.id(), 10));
            write(store, () -> store.removals().save(in(new RemovalState.TakenBack(Given.T, "w"))));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_hidden_subtree_moves_along_with_the_session_above_it(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            write(store, () -> store.removals().save(in(new RemovalState.Hiding(Given.T))));
            var other = Given.root("other");
            write(
                    store,
                    () -> {
                        store.sessions().add(other);
                        store.sessions().attach(OVER.id(), other.id(), Limits.NONE);
                        store.removals().save(in(new RemovalState.Undoing(Given.T)));
                    });
            var leaf = read(store, () -> store.sessions().find(LEAF.id()).orElseThrow());
            var mid = read(store, () -> store.sessions().find(MID.id()).orElseThrow());
            assertThat(leaf.place().root()).isEqualTo(other.id());
            assertThat(leaf.place().path()).isEqualTo(mid.place().path() + ".leaf");
            assertThat(mid.place().path()).startsWith(other.name() + ".");
        }
    }

    /** Two hidden sessions that had the same name one after the other. */
    @ParameterizedTest
    @EnumSource
    void a_returning_session_gets_its_name_back_from_a_hidden_one(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            enlisted(store);
            write(store, () -> store.removals().save(in(new RemovalState.Hiding(Given.T))));
            var second = Given.root("second").named("top");
            var later =
                    new Removal(
                            new RemovalId("rem_2"),
                            new Removal.Top(second.id(), "top", null),
                            Choices.CAREFUL,
                            REMOVAL.order(),
                            REMOVAL.taken(),
                            "d",
                            new RemovalState.Fencing(Given.T, null),
                            new Removal.Times(Given.T, null, null, null),
                            null);
            var hiding =
                    new Removal(
                            later.id(),
                            later.top(),
                            later.choices(),
                            later.order(),
                            later.taken(),
                            later.digest(),
                            new RemovalState.Hiding(Given.T),
                            new Removal.Times(Given.T, Given.T, null, null),
                            null);
            write(
                    store,
                    () -> {
                        store.sessions().add(second);
                        store.removals().add(later);
                        store.removals().enlist(later, 1);
                        store.removals().save(hiding);
                    });
            write(
                    store,
                    () -> {
                        assertThat(store.removals().takenNames(REMOVAL.id())).isEmpty();
                        store.removals().giveNamesBack(REMOVAL.id());
                        store.removals().save(in(new RemovalState.Undoing(Given.T)));
                    });
            assertThat(read(store, () -> store.sessions().named("top").orElseThrow().id()))
                    .isEqualTo(TOP.id());
        }
    }
}
