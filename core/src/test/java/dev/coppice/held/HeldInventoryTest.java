package dev.coppice.held;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.coppice.budget.Amounts;
import dev.coppice.budget.Budget;
import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackId;
import dev.coppice.callback.CallbackState;
import dev.coppice.callback.Join;
import dev.coppice.callback.JoinId;
import dev.coppice.held.HeldStore.HeldSession;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Inventory.Leftover;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.scene.Scene;
import dev.coppice.session.Place;
import dev.coppice.session.Session;
import dev.coppice.stop.StopId;
import dev.coppice.stop.TreeStop;
import dev.coppice.word.BudgetPolicy;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.JoinKind;
import dev.coppice.word.WhenBusy;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.Workplace;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Plants the flaw of each check. A check without a flaw here fails the test. */
class HeldInventoryTest {
    private static final Instant T = Instant.EPOCH;
    private static final SessionId PLAN = new SessionId("plan");
    private static final SessionId DRAFT = new SessionId("draft");
    private static final SessionId GONE = new SessionId("gone");
    private static final Map<String, Consumer<HeldStore.State>> FLAWS = flaws();

    private static Map<String, Consumer<HeldStore.State>> flaws() {
        var flaws = new LinkedHashMap<String, Consumer<HeldStore.State>>();
        ofSessions(flaws);
        ofRemovals(flaws);
        ofNames(flaws);
        ofTheRest(flaws);
        return flaws;
    }

    private static void ofSessions(Map<String, Consumer<HeldStore.State>> flaws) {
        flaws.put("session rows whose parent does not exist", s -> remove(s, PLAN));
        flaws.put(
                "sessions that are not placed below their parent",
                s -> change(s, DRAFT, d -> d.at(placed(d, PLAN, 7))));
        flaws.put(
                "root sessions with another root",
                s -> change(s, PLAN, p -> p.at(placed(p, GONE, 0))));
        flaws.put(
                "sessions covered by a removal that is over",
                s -> {
                    put(s, new RemovalState.Undone(T), PLAN);
                    change(s, PLAN, p -> p.removedBy("rem"));
                });
        flaws.put(
                "session rows whose removal does not exist",
                s -> change(s, PLAN, p -> p.removedBy("rem")));
    }

    private static void ofRemovals(Map<String, Consumer<HeldStore.State>> flaws) {
        var about = new About.Message("hello", null, WhenBusy.QUEUE);
        flaws.put(
                "open callbacks to purged sessions",
                s -> owe(s, GONE, about, new CallbackState.Owed(T, T)));
        flaws.put(
                "callbacks carried by no live run",
                s -> owe(s, PLAN, about, new CallbackState.Carried(T, new RunId("gone"))));
        flaws.put(
                "open removals without their session",
                s -> put(s, new RemovalState.Hidden(T, T), GONE));
        flaws.put(
                "live runs of hidden sessions",
                s -> {
                    put(s, new RemovalState.Hidden(T, T), PLAN);
                    s.hidden.put("rem", new HeldRemovals.HiddenRows(s.sessions, s.runs, Map.of()));
                });
        flaws.put(
                "sessions that their purged removal left behind",
                s -> put(s, new RemovalState.Purged(T), PLAN));
    }

    private static void ofNames(Map<String, Consumer<HeldStore.State>> flaws) {
        flaws.put("run rows whose runner does not exist", s -> s.runners.clear());
        flaws.put(
                "callback rows whose join_id does not exist",
                s ->
                        owe(
                                s,
                                PLAN,
                                new About.JoinOver(new JoinId("gone")),
                                new CallbackState.Held(T, "stopped")));
        flaws.put(
                "callback rows whose child_id does not exist",
                s ->
                        owe(
                                s,
                                PLAN,
                                new About.ChildEnd(GONE, new RunId("gone")),
                                new CallbackState.Owed(T, T)));
        flaws.put("child_join_member rows whose child_id does not exist", s -> join(s, PLAN, GONE));
    }

    private static void ofTheRest(Map<String, Consumer<HeldStore.State>> flaws) {
        flaws.put("run rows whose session does not exist", s -> remove(s, PLAN));
        flaws.put("event rows whose session does not exist", s -> remove(s, PLAN));
        flaws.put("child_join rows whose session does not exist", s -> join(s, GONE, DRAFT));
        flaws.put(
                "budget rows whose session does not exist",
                s ->
                        s.budgets.put(
                                "gone",
                                new Budget(
                                        GONE,
                                        Amounts.spent(1, 1, 1),
                                        BudgetPolicy.REFUSE,
                                        Map.of())));
        flaws.put(
                "spent rows whose session does not exist",
                s -> s.spent.put("gone", Amounts.spent(1, 1, 1)));
        flaws.put(
                "tree_stop rows whose session does not exist",
                s -> {
                    var order = new TreeStop.Order(Duration.ZERO, "because");
                    var stop = new TreeStop(new StopId("stop"), GONE, order, T, null);
                    s.stops.put("stop", new HeldTreeStops.HeldStop(stop, List.of()));
                });
        flaws.put(
                "workplace rows whose session does not exist",
                s ->
                        s.places.put(
                                99L,
                                new Workplace(
                                        GONE, "h", "/work", Workplace.Made.BY_OTHERS, "/runs")));
        flaws.put(
                "confirmed_work rows whose removal does not exist",
                s -> s.confirmedWork.put("gone", List.of()));
        flaws.put(
                "task rows whose removal does not exist",
                s -> {
                    var task =
                            new DirectoryTask(
                                    new DirectoryTaskId("task_99"),
                                    DirectoryTask.Kind.PRESERVE,
                                    "h",
                                    "gone",
                                    DirectoryTask.Terms.at(T),
                                    List.of(),
                                    List.of());
                    s.tasks.put(
                            99L,
                            new HeldDirectoryTasks.HeldTask(
                                    task, Set.of(), null, null, null, null, false, List.of()));
                });
    }

    private static Place placed(Session session, SessionId root, int depth) {
        return new Place(session.place().parent(), root, depth, session.place().path());
    }

    private static HeldSession held(HeldStore.State state, SessionId id) {
        return state.sessions.values().stream()
                .filter(h -> h.session().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static void remove(HeldStore.State state, SessionId id) {
        state.sessions.remove(held(state, id).key());
    }

    private static void change(HeldStore.State state, SessionId id, UnaryOperator<Session> how) {
        var held = held(state, id);
        var changed = new HeldSession(how.apply(held.session()), held.key());
        state.sessions.put(held.key(), changed);
    }

    private static void owe(HeldStore.State state, SessionId to, About about, CallbackState in) {
        state.callbacks.put(99L, new Callback(new CallbackId("cb"), to, about, in, 0, T));
    }

    private static void join(HeldStore.State state, SessionId by, SessionId child) {
        var members = List.of(new Join.Member(child, new RunId("run")));
        var until = new Join.Until(JoinKind.ALL, 0);
        var open = new Join.State(Join.Outcome.OPEN, null);
        var count = new Join.Count(0, 0);
        var join = new Join(new JoinId("join"), by, until, members, count, T, open);
        state.joins.put("join", join);
    }

    /** Adds a removal that began after everything else, with its top as the only member. */
    private static void put(HeldStore.State state, RemovalState in, SessionId top) {
        var removal =
                new Removal(
                        new RemovalId("rem"),
                        new Removal.Top(top, top.value(), null),
                        Choices.CAREFUL,
                        new Removal.Order("tester", null, false, null),
                        new Removal.Taken(1, 0, 0, 0),
                        "digest",
                        in,
                        new Removal.Times(Instant.MAX, null, null, null),
                        null);
        var member = new Member(top, top.value(), null, "finished", 0, false);
        state.removals.put(
                "rem",
                new HeldRemovals.HeldRemoval(removal, 99, List.of(member), Set.of(), Map.of()));
    }

    static Set<String> questions() {
        return HeldInventory.asked();
    }

    @Test
    void every_check_has_a_planted_flaw() {
        assertThat(FLAWS.keySet()).containsExactlyInAnyOrderElementsOf(questions());
    }

    @ParameterizedTest
    @MethodSource("questions")
    void each_check_finds_its_planted_flaw(String question) {
        var scene = new Scene();
        var runner = scene.runner("r1", 2);
        for (var asked : List.of(named("plan"), below("plan", "draft"))) {
            done(scene.run(asked, ExecutionMode.ASYNC_POLL));
            done(scene.confirmed(scene.claim(runner).orElseThrow()));
        }
        scene.assertNothingIsLeft();
        var found =
                scene.store.write(() -> {
                    requireNonNull(FLAWS.get(question)).accept(scene.store.now());
                    return HeldInventory.leftovers(scene.store);
                });
        assertThat(found).extracting(Leftover::what).contains(question);
    }
}
