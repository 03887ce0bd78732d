package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.run.Result;
import dev.coppice.run.RunState;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Limits.Kind;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.SessionState;
import dev.coppice.wiring.Store;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The contract of every store for sessions. */
class SessionsContractTest {
    private static final Session PLAN = Given.root("plan");
    private static final Session DRAFT = Given.child(PLAN, "draft");
    private static final Session FIGURE = Given.child(DRAFT, "figure");
    private static final Session CHECK = Given.child(PLAN, "check");

    private static void grow(Store store) {
        store.transactions()
                .write(() -> {
                    for (var s : List.of(PLAN, DRAFT, FIGURE, CHECK)) store.sessions().add(s);
                    return PLAN;
                });
    }

    private static List<String> names(Slice<Session> slice) {
        return slice.items().stream().map(Session::name).toList();
    }

    @ParameterizedTest
    @EnumSource
    void a_session_comes_back_as_stored(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            store.transactions()
                    .read(() -> {
                        assertThat(store.sessions().find(FIGURE.id())).contains(FIGURE);
                        assertThat(store.sessions().named("check")).contains(CHECK);
                        assertThat(store.sessions().find(new SessionId("x"))).isEmpty();
                        return true;
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void every_state_comes_back_as_stored(Stores stores) {
        var at = Given.T.plusSeconds(5);
        var states =
                List.of(
                        new SessionState.Running(at),
                        new SessionState.Idle(at),
                        new SessionState.Stopping(at, at.plusSeconds(5), "why"),
                        new SessionState.Finished(at, "completed"),
                        new SessionState.Failed(at, "it broke"),
                        new SessionState.Stopped(at, "asked"),
                        new SessionState.TimedOut(at, "late"),
                        new SessionState.Lost(at, "gone"),
                        new SessionState.Pending(at));
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            for (var state : states) {
                var moved = Given.in(DRAFT, state);
                var found =
                        store.transactions()
                                .write(() -> {
                                    store.sessions().save(moved);
                                    return store.sessions().find(DRAFT.id());
                                });
                assertThat(found).contains(moved);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void ids_and_names_are_unique(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            assertThatThrownBy(() ->
                            store.transactions()
                                    .write(() -> {
                                        store.sessions().add(Given.root("plan"));
                                        return 0;
                                    }))
                    .isInstanceOf(RuntimeException.class);
            assertThat(store.transactions().read(() -> store.sessions().countChildren(PLAN.id())))
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void children_are_paged_in_order_of_creation(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            var first =
                    store.transactions()
                            .read(() -> store.sessions().children(PLAN.id(), Cursor.first(1)));
            assertThat(names(first)).containsExactly("draft");
            var second =
                    store.transactions()
                            .read(() ->
                                    store.sessions()
                                            .children(PLAN.id(), new Cursor(first.next(), 1)));
            assertThat(names(second)).containsExactly("check");
            assertThat(second.next()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void descendants_come_depth_first_down_to_the_given_depth(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            assertThat(pages(store, cursor -> store.sessions().descendants(PLAN.id(), 9, cursor)))
                    .containsExactly("draft", "figure", "check");
            assertThat(pages(store, cursor -> store.sessions().descendants(PLAN.id(), 1, cursor)))
                    .containsExactly("draft", "check");
            assertThat(pages(store, cursor -> store.sessions().descendants(DRAFT.id(), 9, cursor)))
                    .containsExactly("figure");
            assertThat(
                            store.transactions()
                                    .read(() -> store.sessions().countDescendants(PLAN.id())))
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_walk_goes_tree_by_tree_and_can_pass_over_descendants(Stores stores) {
        var beside = Given.root("beside");
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            store.transactions()
                    .write(() -> {
                        store.sessions().add(beside);
                        return 0;
                    });
            assertThat(walk(store, null, Set.of()))
                    .containsExactly("plan", "draft", "figure", "check", "beside");
            assertThat(walk(store, null, Set.of("draft")))
                    .containsExactly("plan", "draft", "check", "beside");
            assertThat(walk(store, DRAFT, Set.of())).containsExactly("draft", "figure");
        }
    }

    private static List<String> walk(Store store, @Nullable Session top, Set<String> passed) {
        return store.transactions()
                .read(() -> {
                    var found = new ArrayList<String>();
                    var id = top == null ? null : top.id();
                    var next = store.sessions().next(id, null);
                    while (next.isPresent()) {
                        var name = next.get().session().name();
                        found.add(name);
                        var place =
                                passed.contains(name)
                                        ? next.get().behindAll()
                                        : next.get().behind();
                        next = store.sessions().next(id, place);
                    }
                    return found;
                });
    }

    @ParameterizedTest
    @EnumSource
    void a_tree_has_ended_with_the_last_of_its_sessions(Stores stores) {
        var at = Given.T.plusSeconds(9);
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            store.transactions()
                    .write(() -> {
                        var sessions = store.sessions();
                        sessions.save(Given.in(DRAFT, new SessionState.Finished(Given.T, "done")));
                        assertThat(sessions.haveAllEnded(DRAFT.id(), at)).isFalse();
                        sessions.save(Given.in(FIGURE, new SessionState.Failed(at, "broke")));
                        assertThat(sessions.haveAllEnded(DRAFT.id(), at.minusMillis(1))).isFalse();
                        assertThat(sessions.haveAllEnded(DRAFT.id(), at)).isTrue();
                        assertThat(sessions.haveAllEnded(PLAN.id(), at)).isFalse();
                        return 0;
                    });
        }
    }

    /** Lists everything, one item per page: paging loses nothing and repeats nothing. */
    private static List<String> pages(Store store, Function<Cursor, Slice<Session>> list) {
        var found = new ArrayList<String>();
        Cursor cursor = Cursor.first(1);
        while (true) {
            var asked = cursor;
            var page = store.transactions().read(() -> list.apply(asked));
            found.addAll(names(page));
            if (page.next() == null) return found;
            cursor = new Cursor(page.next(), 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void lists_are_newest_first_and_narrowed_by_every_filter(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            store.transactions()
                    .write(() -> {
                        store.sessions()
                                .save(Given.in(CHECK, new SessionState.Failed(Given.T, "x")));
                        return 0;
                    });
            assertThat(list(store, SessionFilter.ALL))
                    .containsExactly("check", "figure", "draft", "plan");
            assertThat(list(store, new SessionFilter(Set.of("failed"), null, null, null, null)))
                    .containsExactly("check");
            assertThat(
                            list(
                                    store,
                                    new SessionFilter(
                                            Set.of("failed", "pending"), null, null, null, null)))
                    .containsExactly("check", "figure", "draft", "plan");
            assertThat(list(store, new SessionFilter(Set.of(), SessionType.MAIN, null, null, null)))
                    .containsExactly("plan");
            assertThat(list(store, new SessionFilter(Set.of(), null, "fi", null, null)))
                    .containsExactly("figure");
            assertThat(list(store, SessionFilter.ALL.named("IGU"))).containsExactly("figure");
            assertThat(list(store, SessionFilter.ALL.named("%"))).isEmpty();
            assertThat(list(store, new SessionFilter(Set.of(), null, null, PLAN.id(), null)))
                    .containsExactly("check", "draft");
            assertThat(
                            list(
                                    store,
                                    new SessionFilter(
                                            Set.of("pending"), null, null, PLAN.id(), null)))
                    .containsExactly("draft");
            assertThat(list(store, new SessionFilter(Set.of(), null, null, null, DRAFT.id())))
                    .containsExactly("figure", "draft");
            assertThat(list(store, SessionFilter.ALL.orphans())).isEmpty();
            store.transactions()
                    .write(() -> {
                        store.sessions()
                                .save(Given.in(PLAN, new SessionState.Failed(Given.T, "x")));
                        return 0;
                    });
            assertThat(list(store, SessionFilter.ALL.orphans())).containsExactly("check", "draft");
            assertThat(list(store, SessionFilter.ALL.within(DRAFT.id()).orphans()))
                    .containsExactly("draft");
        }
    }

    private static List<String> list(Store store, SessionFilter filter) {
        return pages(store, cursor -> store.sessions().list(filter, cursor));
    }

    @ParameterizedTest
    @EnumSource
    void live_sessions_are_counted_in_every_ancestor(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            assertThat(living(store, FIGURE.id()))
                    .containsExactly("figure 0/0", "draft 1/1", "plan 2/3");
            var ended = new SessionState.Finished(Given.T, "completed");
            store.transactions()
                    .write(() -> {
                        store.sessions().save(Given.in(FIGURE, ended));
                        return 0;
                    });
            assertThat(living(store, FIGURE.id()))
                    .containsExactly("figure 0/0", "draft 0/0", "plan 2/2");
            store.transactions()
                    .write(() -> {
                        store.sessions().save(Given.in(DRAFT, ended));
                        store.sessions().save(Given.in(FIGURE, new SessionState.Pending(Given.T)));
                        return 0;
                    });
            assertThat(living(store, FIGURE.id()))
                    .containsExactly("figure 0/0", "draft 1/1", "plan 1/2");
        }
    }

    /** The order in which sessions are stopped: each once it has no live descendants. */
    @ParameterizedTest
    @EnumSource
    void live_leaves_come_newest_first(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            var leaves = store.transactions().read(() -> store.sessions().liveLeaves(PLAN.id()));
            assertThat(leaves).extracting(Session::name).containsExactly("check", "figure");
        }
    }

    private static List<String> living(Store store, SessionId id) {
        return store.transactions()
                .read(() ->
                        store.sessions().ancestry(id).stream()
                                .map(SessionsContractTest::shown)
                                .toList());
    }

    private static String shown(Ancestor a) {
        return "%s %d/%d".formatted(a.session().name(), a.livingChildren(), a.livingBelow());
    }

    @ParameterizedTest
    @EnumSource
    void within_means_the_session_itself_and_all_below_it(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            store.transactions()
                    .read(() -> {
                        assertThat(store.sessions().isWithin(FIGURE.id(), PLAN.id())).isTrue();
                        assertThat(store.sessions().isWithin(PLAN.id(), PLAN.id())).isTrue();
                        assertThat(store.sessions().isWithin(PLAN.id(), FIGURE.id())).isFalse();
                        assertThat(store.sessions().isWithin(FIGURE.id(), CHECK.id())).isFalse();
                        return 0;
                    });
        }
    }

    /** Trails must keep 256 levels, and many siblings, in order of creation. */
    @ParameterizedTest
    @EnumSource
    void a_tree_of_maximum_depth_is_stored_and_found(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            var tree = new ArrayList<>(List.of(Given.root("d0")));
            for (int i = 1; i <= Bounds.TREE_DEPTH_MAX; i++) {
                tree.add(Given.child(tree.getLast(), "d" + i));
            }
            // In one transaction, PostgreSQL would keep every old version of the ancestors' rows.
            for (int at = 0; at < tree.size(); at += 20) {
                var some = tree.subList(at, Math.min(at + 20, tree.size()));
                store.transactions()
                        .write(() -> {
                            some.forEach(store.sessions()::add);
                            return 0;
                        });
            }
            var top = new SessionId("d0");
            assertThat(store.transactions().read(() -> store.sessions().countDescendants(top)))
                    .isEqualTo(Bounds.TREE_DEPTH_MAX);
            var deepest = new SessionId("d" + Bounds.TREE_DEPTH_MAX);
            assertThat(store.transactions().read(() -> store.sessions().ancestry(deepest)))
                    .hasSize(Bounds.TREE_DEPTH_MAX + 1);
        }
    }

    /** Counts every session of the tree, and only current values. */
    @ParameterizedTest
    @EnumSource
    void stored_bytes_of_a_tree_are_counted(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            long each = Bounds.bytesOf(PLAN.profile().metadata().value());
            var run = Given.run("run_1", FIGURE);
            long input = Bounds.bytesOf(run.task().parameters().value());
            var said = new JsonText("{\"said\":\"ü\"}");
            write(
                    store,
                    () -> {
                        store.runs().add(run);
                        store.journal()
                                .append(CHECK.id(), null, new Fact.Reported("x", said), Given.T);
                        assertThat(store.runs().setOutput(run.id(), 70)).isTrue();
                        assertThat(store.runs().setOutput(run.id(), 70)).isFalse();
                        store.sessions().save(DRAFT.with(DRAFT.profile().describedBy(said)));
                    });
            var grown = each * 3 + Bounds.bytesOf(said.value()) + input;
            assertThat(stored(store, Kind.METADATA_BYTES)).isEqualTo(grown);
            assertThat(stored(store, Kind.EVENT_BYTES)).isEqualTo(Bounds.bytesOf(said.value()));
            assertThat(stored(store, Kind.OUTPUT_BYTES)).isEqualTo(70);
            write(
                    store,
                    () -> {
                        store.runs()
                                .save(
                                        Given.in(run, new RunState.Failed(Given.T, "broke", null))
                                                .with(new Result("four", said)));
                        store.runs().setOutput(run.id(), 20);
                        var ended = new SessionState.Finished(Given.T, "done");
                        for (var id : List.of(FIGURE, CHECK, DRAFT, PLAN)) {
                            var session = store.sessions().find(id.id()).orElseThrow();
                            store.sessions().save(Given.in(session, ended));
                        }
                        store.journal().forget(new Journal.Due(Journal.Types.ALL, 0, Given.T, 9));
                    });
            grown += 4 + Bounds.bytesOf(said.value());
            assertThat(stored(store, Kind.METADATA_BYTES)).isEqualTo(grown);
            assertThat(stored(store, Kind.EVENT_BYTES)).isZero();
            assertThat(stored(store, Kind.OUTPUT_BYTES)).isEqualTo(20);
        }
    }

    private static void write(Store store, Runnable work) {
        store.transactions()
                .write(() -> {
                    work.run();
                    return 0;
                });
    }

    private static long stored(Store store, Kind kind) {
        return store.transactions().read(() -> store.sessions().stored(DRAFT.id(), kind).bytes());
    }
}
