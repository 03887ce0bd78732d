package dev.coppice.sim;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;

import dev.coppice.run.RunState;
import dev.coppice.scene.LongForm;
import dev.coppice.sim.invariant.AFollowerMissesNothing;
import dev.coppice.sim.invariant.ARemovalLeavesNothing;
import dev.coppice.sim.invariant.AStallLosesNoRun;
import dev.coppice.sim.invariant.AStopLeavesNoLiveSession;
import dev.coppice.sim.invariant.AgentsReachOnlyBelow;
import dev.coppice.sim.invariant.EndedRunsNeverChange;
import dev.coppice.sim.invariant.EveryEndIsDeliveredOnce;
import dev.coppice.sim.invariant.Invariant;
import dev.coppice.sim.invariant.NoChildUnderAFence;
import dev.coppice.sim.invariant.NothingWaitsForEver;
import dev.coppice.sim.invariant.OnlyTheHolderChangesARun;
import dev.coppice.sim.invariant.TheAuditChainIsComplete;
import dev.coppice.sim.invariant.TreesAreTrees;
import dev.coppice.sim.invariant.WorkIsPreserved;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Runs one world per seed. {@code ./coppice simulate 20000} runs more of them; {@code
 * -Dcoppice.seed=N} repeats one seed.
 */
class SimulationTest {
    private static final int STEPS = 330;
    private static final int SEEDS_TO_FIND_A_FAULT = 100;

    private static final Map<Fault, Class<? extends Invariant<World>>> FINDS =
            Map.ofEntries(
                    entry(Fault.UNCHECKED_MOVE, TreesAreTrees.class),
                    entry(Fault.STALE_PARENT, NoChildUnderAFence.class),
                    entry(Fault.NO_FENCE, OnlyTheHolderChangesARun.class),
                    entry(Fault.FORGOTTEN_END, EndedRunsNeverChange.class),
                    entry(Fault.LATE_NUMBER, AFollowerMissesNothing.class),
                    entry(Fault.SWALLOWED_CALLBACK, EveryEndIsDeliveredOnce.class),
                    entry(Fault.DELIVERED_TWICE, EveryEndIsDeliveredOnce.class),
                    entry(Fault.STOP_FENCE_IGNORED, NoChildUnderAFence.class),
                    entry(Fault.FORGOTTEN_BELOW, AStopLeavesNoLiveSession.class),
                    entry(Fault.DUE_CALLBACKS_HIDDEN, NothingWaitsForEver.class),
                    entry(Fault.TORN, EveryEndIsDeliveredOnce.class),
                    entry(Fault.HALF_ENLISTED, TreesAreTrees.class),
                    entry(Fault.NEVER_RELEASED, ARemovalLeavesNothing.class),
                    entry(Fault.UNPRESERVED, WorkIsPreserved.class),
                    entry(Fault.COPY_NOT_RELEASED, ARemovalLeavesNothing.class),
                    entry(Fault.DIRECTORY_LEFT, ARemovalLeavesNothing.class),
                    entry(Fault.TREE_CHECK_SKIPPED, AgentsReachOnlyBelow.class),
                    entry(Fault.REMOVAL_FENCE_IGNORED, NoChildUnderAFence.class),
                    entry(Fault.NO_UNDO_WINDOW, WorkIsPreserved.class),
                    entry(Fault.AUDIT_SKIPPED, TheAuditChainIsComplete.class),
                    entry(Fault.AUDIT_LATE, TheAuditChainIsComplete.class),
                    entry(Fault.LIVE_IGNORED, ARemovalLeavesNothing.class),
                    entry(Fault.STALL_UNNOTICED, AStallLosesNoRun.class));

    private static Play<World> play() {
        List<Invariant<World>> invariants =
                List.of(
                        new TreesAreTrees(),
                        new NoChildUnderAFence(),
                        new AStallLosesNoRun(),
                        new OnlyTheHolderChangesARun(),
                        new EndedRunsNeverChange(),
                        new AFollowerMissesNothing(),
                        new AStopLeavesNoLiveSession(),
                        new EveryEndIsDeliveredOnce(),
                        new ARemovalLeavesNothing(),
                        new WorkIsPreserved(),
                        new TheAuditChainIsComplete(),
                        new AgentsReachOnlyBelow(),
                        new NothingWaitsForEver());
        return new Play<>(STEPS, invariants);
    }

    /** Silenced: each of the thousands of removals logs warnings. */
    private static final java.util.logging.Logger WARNINGS =
            java.util.logging.Logger.getLogger("removal");

    static {
        WARNINGS.setLevel(java.util.logging.Level.OFF);
    }

    private static Activity activity(long seed) {
        var activity = new Activity();
        var world = play().toItsEnd(seed, World.of(seed), activity::see);
        activity.end(world);
        return activity;
    }

    /** What happened in some worlds. A simulation in which little happens proves nothing. */
    private static final class Activity {
        private final Map<String, Integer> callbacks = new TreeMap<>();
        private final Map<String, Integer> removals = new TreeMap<>();
        private int interrupted;
        private int deaths;
        private int ended;
        private int lost;
        private int children;

        void see(World world) {
            for (var r : world.removals()) removals.merge(r.state().word(), 1, Integer::sum);
            for (var c : world.callbacks()) callbacks.merge(c.state().word(), 1, Integer::sum);
        }

        void end(World world) {
            interrupted = world.removalsBrokenOff();
            deaths = world.deaths();
            for (var run : world.runs()) {
                if (run.marks().ended() != null) ended++;
                if (run.state() instanceof RunState.Lost) lost++;
            }
            children = (int) world.sessions().stream().filter(s -> s.place().depth() > 0).count();
        }

        Activity and(Activity other) {
            other.callbacks.forEach((state, n) -> callbacks.merge(state, n, Integer::sum));
            other.removals.forEach((state, n) -> removals.merge(state, n, Integer::sum));
            interrupted += other.interrupted;
            deaths += other.deaths;
            ended += other.ended;
            lost += other.lost;
            children += other.children;
            return this;
        }

        void assertMuch() {
            assertThat(removals.keySet())
                    .contains("hidden", "undone", "purged", "taken_back", "quiescing")
                    .contains("preserving", "backing_up", "detaching", "hiding", "purging")
                    .contains("restoring", "undoing", "taking_back");
            for (var state : List.of("owed", "carried", "held", "delivered", "joined", "dead")) {
                assertThat(callbacks.getOrDefault(state, 0)).as(state).isPositive();
            }
            assertThat(interrupted).as("interrupted removals").isGreaterThan(Play.seeds());
            assertThat(callbacks.get("delivered")).isGreaterThan(100);
            assertThat(ended).isGreaterThan(Play.seeds());
            assertThat(children).isGreaterThan(Play.seeds() / 2);
            assertThat(lost).isGreaterThan(Play.seeds() / 20);
            assertThat(deaths).isGreaterThan(Play.seeds() / 5);
        }
    }

    @Test
    @LongForm
    void the_invariants_hold_in_every_world_and_much_happens() {
        var activity = Play.ofEach(SimulationTest::activity).reduce(Activity::and).orElseThrow();
        if (!Play.isOfOneSeed()) activity.assertMuch();
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void each_planted_fault_is_found_by_its_invariant(Fault fault) {
        Supplier<Boolean> found =
                () -> {
                    for (long seed = 0; seed < SEEDS_TO_FIND_A_FAULT; seed++) {
                        var broken = play().play(World.of(seed, fault), _ -> {});
                        if (broken.isPresent()
                                && FINDS.get(fault).isInstance(broken.get().invariant()))
                            return true;
                    }
                    return false;
                };
        assertThat(found.get()).as("%s within %d seeds", fault, SEEDS_TO_FIND_A_FAULT).isTrue();
    }
}
