package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.callback.CallbackFilter;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.run.Holder;
import dev.coppice.run.Lease;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Result;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.stop.TreeStop;
import dev.coppice.wiring.Rules;
import dev.coppice.wiring.Store;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Concurrent commands on the same tree: none is lost, and none is applied twice. */
class RacesContractTest {
    private static final int ROUNDS = 10;
    private static final int CHILDREN = 6;
    private static final int HOSTS = 8;

    private static Holder holder() {
        return Given.lease("r", 1, Instant.MAX).holder();
    }

    private static RunId runOf(Session session) {
        return new RunId("run-" + session.id());
    }

    /** Adds a session with a running run. */
    private static void begin(Store store, Session session) {
        store.transactions()
                .write(() -> {
                    store.sessions().add(session);
                    var run = Given.run(runOf(session).value(), session);
                    store.runs().add(run);
                    var until = InstantSource.system().instant().plusSeconds(600);
                    var running = new RunState.Running(new Lease(holder(), until), Given.T);
                    store.runs().save(Given.in(run, running));
                    store.sessions().save(Given.in(session, new SessionState.Running(Given.T)));
                    return 0;
                });
    }

    @ParameterizedTest
    @EnumSource
    void concurrent_commands_end_every_session_with_one_callback_each(Stores stores)
            throws Exception {
        try (var opened = stores.open(_ -> {});
                var many = Executors.newVirtualThreadPerTaskExecutor()) {
            var rules = Given.rules(opened.store());
            for (int round = 0; round < ROUNDS; round++) {
                var top = Given.root("top" + round);
                begin(rules.store, top);
                var children = new ArrayList<Session>();
                for (int i = 0; i < CHILDREN; i++) {
                    children.add(Given.child(top, "kid" + round + "-" + i));
                    begin(rules.store, children.getLast());
                }
                var order = new TreeStop.Order(Duration.ofSeconds(5), "race");
                var tasks = new ArrayList<Callable<Object>>();
                for (var child : children.subList(0, CHILDREN / 2)) {
                    tasks.add(() -> completed(rules, child));
                }
                tasks.add(() -> rules.freeze.freeze(top.id()));
                tasks.add(() -> rules.stopTree.stop(rules.ports, top.id(), order));
                tasks.add(() -> rules.freeze.thaw(top.id()));
                var futures = new ArrayList<Future<Object>>();
                for (var task : tasks) futures.add(many.submit(task));
                for (var future : futures) future.get();
                for (var child : children) stopped(rules, child);
                stopped(rules, top);
                allHasEnded(rules, top, children);
            }
        }
    }

    /** Each task is completed twice; the second report changes nothing. */
    @ParameterizedTest
    @EnumSource
    void work_preserved_concurrently_for_a_cancelled_removal_is_released(Stores stores)
            throws Exception {
        try (var opened = stores.open(_ -> {});
                var many = Executors.newVirtualThreadPerTaskExecutor()) {
            var rules = Given.rules(opened.store());
            for (int round = 0; round < ROUNDS; round++) {
                var keeps = keeping(rules.store, round);
                var tasks = new ArrayList<Callable<Object>>();
                for (int host = 0; host < HOSTS; host++) {
                    var keep = keeps.get(host);
                    var preserved = List.of(preserved("h" + host));
                    tasks.add(() -> rules.handleTasks.complete(keep, preserved));
                    tasks.add(() -> rules.handleTasks.complete(keep, preserved));
                }
                var futures = new ArrayList<Future<Object>>();
                for (var task : tasks) futures.add(many.submit(task));
                for (var future : futures) future.get();
                allIsLetGo(rules.store, round);
            }
        }
    }

    private static Removal removal(int round, RemovalState state) {
        return new Removal(
                new RemovalId("rem_" + round),
                new Removal.Top(new SessionId("stays" + round), "stays" + round, null),
                Choices.CAREFUL,
                new Removal.Order("tester", null, false, null),
                new Removal.Taken(1, 0, 0, 0),
                "digest",
                state,
                new Removal.Times(Given.T, null, null, state.isOver() ? Given.T : null),
                null);
    }

    /**
     * Adds a session that has worked on all hosts, and a cancelled removal whose work is being
     * preserved and released. Returns the tasks that preserve it.
     */
    private static List<DirectoryTaskId> keeping(Store store, int round) {
        var removal = removal(round, new RemovalState.TakingBack(Given.T, "enough"));
        return store.transactions()
                .write(() -> {
                    var session = Given.root("stays" + round);
                    var over = new SessionState.Finished(Given.T, "done");
                    store.sessions().add(Given.in(session, over));
                    for (int i = 0; i < HOSTS; i++) {
                        var made = Workplace.Made.BY_OTHERS;
                        var place = new Workplace(session.id(), "h" + i, "/d", made, "/runs");
                        store.workplaces().note(place);
                    }
                    store.removals().add(removal);
                    store.removals().enlist(removal, 1);
                    var id = removal.id().value();
                    var terms = DirectoryTask.Terms.at(Given.T);
                    store.tasks().create(id, DirectoryTask.Kind.PRESERVE, terms, HOSTS);
                    store.tasks().create(id, DirectoryTask.Kind.RELEASE, terms, HOSTS);
                    return store.tasks().idsOf(id, DirectoryTask.Kind.PRESERVE);
                });
    }

    private static WorkItem preserved(String host) {
        return new WorkItem(
                host,
                "/d/inner",
                WorkItem.Kind.GIT,
                List.of("stays"),
                new WorkItem.Counts(1, 0, 0, 0, 0, 1, 0),
                "print",
                new WorkItem.Tip(null, null),
                new WorkItem.Preserved("refs/x", "/d/inner", null, null, 0),
                List.of(),
                List.of());
    }

    private static void allIsLetGo(Store store, int round) {
        store.transactions()
                .write(() -> {
                    var id = removal(round, new RemovalState.TakenBack(Given.T, "enough"));
                    var places = new ArrayList<String>();
                    for (var release :
                            store.tasks().idsOf(id.id().value(), DirectoryTask.Kind.RELEASE)) {
                        var task = store.tasks().find(release).orElseThrow();
                        task.places().forEach(p -> places.add(task.host() + p.directory()));
                    }
                    var all = new ArrayList<String>();
                    for (int i = 0; i < HOSTS; i++)
                        all.addAll(List.of("h" + i + "/d", "h" + i + "/d/inner"));
                    assertThat(places).containsExactlyInAnyOrderElementsOf(all);
                    var found = store.tasks().found(id.id().value(), Cursor.first(100));
                    assertThat(found.items()).hasSize(HOSTS);
                    store.removals().release(id.id(), 1);
                    store.removals().save(id);
                    return 0;
                });
    }

    private static Object completed(Rules rules, Session session) {
        var result = new Result("done", null);
        return rules.report.completed(runOf(session), holder(), result, MoveRun.After.FINISHED);
    }

    private static void stopped(Rules rules, Session session) {
        rules.report.stopped(runOf(session), holder(), "SIGTERM");
    }

    private static void allHasEnded(Rules rules, Session top, List<Session> children) {
        var store = rules.store;
        store.transactions()
                .read(() -> {
                    var all = new ArrayList<>(children);
                    all.add(top);
                    for (var session : all) {
                        var now = store.sessions().find(session.id()).orElseThrow();
                        assertThat(now.state()).isInstanceOf(SessionState.Ended.class);
                    }
                    assertThat(store.treeStops().openIn(top.id())).isEmpty();
                    assertThat(store.sessions().ancestry(top.id()).getFirst().livingBelow())
                            .isZero();
                    var filter = new CallbackFilter(java.util.Set.of(), top.id(), null);
                    assertThat(store.callbacks().list(filter, Cursor.first(100)).items())
                            .hasSize(children.size());
                    return 0;
                });
    }
}
