package dev.coppice.removal;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.audit.Act;
import dev.coppice.held.HeldInventory;
import dev.coppice.held.HeldStore;
import dev.coppice.held.HeldTreeRows;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.step.RemovalSteps;
import dev.coppice.run.RunState;
import dev.coppice.scene.Scene;
import dev.coppice.session.NewSession;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.StateWord;
import dev.coppice.word.Choice;
import dev.coppice.word.ExecutionMode;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.InspectedWork;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Interrupts each step of a removal at each of its calls to the store, makes each call fail, and
 * runs each step on two coordinators at once. The outcome must equal that of an undisturbed
 * removal. The states come from the code: a state without an entry in WAYS fails the test.
 */
class EveryStepTest {
    private static final Act.Who WHO = new Act.Who("tester", "operator");

    /** Silenced: each of the thousand failures here would log a page. */
    private static final Logger WARNINGS = Logger.getLogger("removal");

    private static final int TURNS_MAX = 300;
    private static final int CALLS_MAX = 5_000;

    /** For each state, a way of a removal that reaches it. */
    private static final Map<String, Way> WAYS =
            Map.ofEntries(
                    Map.entry("fencing", Way.PURGE),
                    Map.entry("quiescing", Way.PURGE),
                    Map.entry("preserving", Way.PURGE),
                    Map.entry("backing_up", Way.PURGE),
                    Map.entry("hiding", Way.PURGE),
                    Map.entry("hidden", Way.PURGE),
                    Map.entry("purging", Way.PURGE),
                    Map.entry("detaching", Way.DETACH),
                    Map.entry("undoing", Way.UNDO),
                    Map.entry("taking_back", Way.CANCEL),
                    Map.entry("restoring", Way.BREAK_A_RESTORE));

    private enum Trouble {
        /** The process dies, and its memory is lost. */
        DEATH,
        /** An exception; the process survives with its memory. */
        FAILURE
    }

    private enum Way {
        PURGE,
        DETACH,
        UNDO,
        CANCEL,
        BREAK_A_RESTORE
    }

    /** The words of all states in which a removal still has work to do. */
    static List<String> states() {
        return Stream.of(RemovalState.class.getPermittedSubclasses())
                .filter(type -> !type.isInterface())
                .map(Class::getSimpleName)
                .map(name -> name.replaceAll("([a-z])([A-Z])", "$1_$2"))
                .map(name -> name.toLowerCase(java.util.Locale.ROOT))
                .toList();
    }

    @BeforeAll
    static void expectFailures() {
        WARNINGS.setLevel(Level.OFF);
    }

    @AfterAll
    static void expectNoFailures() {
        WARNINGS.setLevel(null);
    }

    @Test
    void every_state_has_a_way_to_it() {
        assertThat(WAYS.keySet()).containsExactlyInAnyOrderElementsOf(states());
    }

    @ParameterizedTest
    @MethodSource("states")
    void a_step_interrupted_at_any_call_takes_effect_once(String state) {
        eachCall(state, Trouble.DEATH);
    }

    @ParameterizedTest
    @MethodSource("states")
    void a_step_that_fails_at_any_call_takes_effect_once(String state) {
        eachCall(state, Trouble.FAILURE);
    }

    private static void eachCall(String state, Trouble trouble) {
        var way = way(state);
        var undisturbed = new Tree(way).end();
        assertThat(undisturbed.visited).as("states on the way").contains(state);
        int met = 0;
        for (int call = 1; call < CALLS_MAX; call++) {
            var tree = new Tree(way);
            if (!tree.meets(trouble, state, call)) break;
            met++;
            tree.end();
            assertThat(tree.outcome())
                    .as("%s at call %d", trouble, call)
                    .isEqualTo(undisturbed.outcome());
        }
        assertThat(met).as("calls with trouble").isGreaterThan(5).isLessThan(CALLS_MAX - 1);
    }

    @ParameterizedTest
    @MethodSource("states")
    void a_step_run_by_two_coordinators_takes_effect_once(String state) {
        var way = way(state);
        var alone = new Tree(way).end();
        var tree = new Tree(way);
        tree.endByTwo();
        assertThat(tree.outcome()).isEqualTo(alone.outcome());
    }

    private static Way way(String state) {
        var way = WAYS.get(state);
        assertThat(way).as("the way to %s", state).isNotNull();
        return java.util.Objects.requireNonNull(way);
    }

    /** A tree with live and ended sessions, its removal, and the agents and runner involved. */
    private static final class Tree {
        private final Scene scene = new Scene();
        private final RunnerId runner = scene.runner("r1", 8);
        private final Way way;
        private final RemovalId removal;
        private final List<String> visited = new ArrayList<>();
        private RemovalSteps steps = scene.rules.removalSteps;

        Tree(Way way) {
            this.way = way;
            begun(named("outer"), ExecutionMode.ASYNC_POLL);
            begun(below("outer", "top"), ExecutionMode.ASYNC_CALLBACK);
            begun(below("top", "kid"), ExecutionMode.ASYNC_CALLBACK);
            begun(below("top", "busy"), ExecutionMode.ASYNC_POLL);
            done(scene.run(below("top", "over"), ExecutionMode.ASYNC_POLL));
            var over = scene.claim(runner).orElseThrow();
            done(scene.confirmed(over));
            done(scene.finished(over, "done"));
            scene.store.write(() -> {
                for (var who : List.of("top", "kid", "over")) {
                    scene.store
                            .tasks()
                            .note(
                                    new Workplace(
                                            new SessionId(who),
                                            "r1",
                                            "/work/" + who,
                                            Workplace.Made.BY_COPPICE,
                                            "/runs"));
                }
                return who();
            });
            scene.clock.pass(Duration.ofSeconds(1));
            var top = new SessionId("top");
            var seen = InspectedWork.of(seen(way), List.of());
            var confirm = done(scene.rules.planRemoval.plan(top, choices(way), seen)).digest();
            var request = new RemoveTree.Request(choices(way), WHO, "because", confirm, seen);
            this.removal = done(scene.rules.removeTree.begin(top, request)).id();
        }

        private static List<WorkItem> seen(Way way) {
            return Stream.of("top", "kid", "over")
                    .limit(way == Way.DETACH ? 1 : 3)
                    .map(who -> found(who, "/work/" + who, null))
                    .toList();
        }

        private static String who() {
            return WHO.name();
        }

        private static Choices choices(Way way) {
            return new Choices(
                    way == Way.DETACH ? Choice.Children.DETACH : Choice.Children.CASCADE,
                    Choice.Running.STOP,
                    Choice.Critical.REFUSE,
                    Choice.Purge.LATER,
                    Choice.Unreachable.WAIT,
                    Choices.DEADLINE,
                    Choices.Preservation.ALL);
        }

        private void begun(NewSession asked, ExecutionMode mode) {
            done(scene.run(asked, mode));
            done(scene.confirmed(scene.claim(runner).orElseThrow()));
        }

        private Removal look() {
            return scene.store.read(() -> {
                var all = scene.store.removals().list(Cursor.first(10)).items();
                return all.getFirst();
            });
        }

        private String word() {
            return look().state().word();
        }

        /** Runs the removal to its end without trouble. */
        Tree end() {
            for (int turn = 0; turn < TURNS_MAX; turn++) {
                visited.add(word());
                if (!turn()) return this;
            }
            throw new AssertionError("the removal never settles: " + look());
        }

        void endByTwo() {
            var other = scene.coordinator().removalSteps;
            for (int turn = 0; turn < TURNS_MAX; turn++) {
                if (!turn()) return;
                steps.advance();
                steps.backUp();
                other.advance();
                other.backUp();
            }
            throw new AssertionError("the removal never settles: " + look());
        }

        /** Makes one call in the given state fail once. False if the state has fewer calls. */
        boolean meets(Trouble trouble, String state, int call) {
            for (int turn = 0; turn < TURNS_MAX; turn++) {
                if (word(state)) {
                    switch (trouble) {
                        case DEATH -> scene.store.crashAtStep(call, false);
                        case FAILURE -> scene.store.failAtStep(call);
                    }
                    try {
                        while (word(state) && !scene.store.hasFaultOccurred()) if (!turn()) break;
                        return scene.store.hasFaultOccurred();
                    } catch (HeldStore.Died | HeldStore.Failed _) {
                        return true;
                    } finally {
                        scene.store.clearFault();
                        if (trouble == Trouble.DEATH) steps = scene.coordinator().removalSteps;
                    }
                }
                if (!turn()) break;
            }
            throw new AssertionError("never reached the state " + state);
        }

        private boolean word(String state) {
            return word().equals(state);
        }

        /** Lets each participant do one piece of work. False if there was none. */
        private boolean turn() {
            if (way == Way.CANCEL && look().state() instanceof RemovalState.Preserving) {
                done(scene.rules.removeTree.cancel(removal, WHO, "enough"));
                return true;
            }
            boolean moved = steps.advance() > 0 || steps.backUp() > 0;
            boolean ended = agentsEnd();
            boolean ran = tasksAreDone();
            return moved || ended || ran || somethingIsAskedFor();
        }

        private boolean agentsEnd() {
            boolean any = false;
            for (var who : List.of("top", "kid", "busy")) {
                var live = scene.store.read(() -> scene.store.runs().liveOf(new SessionId(who)));
                if (live.isEmpty()) continue;
                if (live.get().state() instanceof RunState.Stopping(var lease, _, _, _)) {
                    done(scene.rules.report.stopped(live.get().id(), lease.holder(), "SIGTERM"));
                    any = true;
                }
            }
            return any;
        }

        private boolean tasksAreDone() {
            var taken = scene.rules.handleTasks.claim("r1", runner);
            for (var task : taken) {
                done(scene.rules.handleTasks.complete(task.id(), found(task)));
            }
            return !taken.isEmpty();
        }

        private static List<WorkItem> found(DirectoryTask task) {
            var file = new WorkItem.Preserved(null, null, task.id() + "/f", "hash", 1);
            var preserved = task.kind() == DirectoryTask.Kind.PRESERVE ? file : null;
            return switch (task.kind()) {
                case INSPECT, PRESERVE ->
                        task.places().stream()
                                .map(p -> found(p.sessionName(), p.directory(), preserved))
                                .toList();
                case CLEAN_UP, DELETE, COPY, CHECK, RELEASE -> List.of();
            };
        }

        private static WorkItem found(
                String who, String directory, WorkItem.@Nullable Preserved preserved) {
            return new WorkItem(
                    "r1",
                    directory,
                    WorkItem.Kind.PLAIN,
                    List.of(who),
                    new WorkItem.Counts(0, 1, 0, 0, 0, 1, 0),
                    "f",
                    new WorkItem.Tip(null, null),
                    preserved,
                    List.of(),
                    List.of());
        }

        /** Makes the request, or lets the time pass, for which the removal waits. */
        private boolean somethingIsAskedFor() {
            return switch (look().state()) {
                case RemovalState.Hidden _ when way == Way.UNDO -> {
                    done(scene.rules.undoRemoval.undo(removal, UndoRemoval.Names.REFUSE, WHO));
                    yield true;
                }
                case RemovalState.Hidden _ -> {
                    scene.clock.pass(Duration.ofDays(8));
                    yield true;
                }
                case RemovalState.Purged _ when way == Way.BREAK_A_RESTORE -> restoring();
                case RemovalState.Restoring _ -> {
                    scene.clock.pass(Duration.ofMinutes(3));
                    yield true;
                }
                case RemovalState.Over _ -> false;
                default -> {
                    // A runner repeats a report whose answer was lost.
                    scene.clock.pass(Duration.ofSeconds(6));
                    yield true;
                }
            };
        }

        /** Begins a restore whose reader never continues. */
        private boolean restoring() {
            var all = scene.store.read(() -> scene.store.removals().list(Cursor.first(10)).items());
            if (all.size() > 1) return false;
            var first = look();
            var file = new Removal.Backup("f.coppice", "0123456789abcdef", 1);
            var request =
                    new RestoreTree.Request(
                            first.top(), 2, first.taken(), file, UndoRemoval.Names.REFUSE);
            done(scene.rules.restoreTree.begin(request, HeldTreeRows.fileContents(List.of()), WHO));
            return true;
        }

        /** Everything visible of the removal afterwards, except times. */
        List<String> outcome() {
            var outcome = new ArrayList<String>();
            for (var entry : scene.entries()) {
                outcome.add("%s %s".formatted(entry.session(), entry.fact().getClass()));
            }
            for (var callback : scene.callbacks()) {
                outcome.add("%s %s".formatted(callback.to(), callback.state().getClass()));
            }
            scene.store.read(() -> {
                var sessions = scene.store.sessions();
                for (var s : sessions.list(SessionFilter.ALL, Cursor.first(100)).items()) {
                    var parent = s.place().parent();
                    outcome.add(
                            "%s below %s: %s".formatted(s.name(), parent, StateWord.of(s.state())));
                }
                for (var r : scene.store.removals().list(Cursor.first(10)).items()) {
                    outcome.add("%s takes %s".formatted(r.state().word(), r.taken()));
                    outcome.add("backed up: " + (r.backup() != null));
                }
                var work = scene.store.tasks().found(removal.value(), Cursor.first(100));
                work.items().forEach(i -> outcome.add("kept " + i.directory()));
                assertThat(HeldInventory.leftovers(scene.store)).isEmpty();
                return outcome;
            });
            return outcome;
        }
    }
}
