package dev.coppice.sim;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;

import dev.coppice.scene.LongForm;
import dev.coppice.sim.invariant.AFollowerSeesWhatItsCallerSees;
import dev.coppice.sim.invariant.AHealthyRunIsNeverLost;
import dev.coppice.sim.invariant.AKeyHasOneEffect;
import dev.coppice.sim.invariant.Invariant;
import dev.coppice.sim.invariant.TheWriterWaitsForNothing;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;

/**
 * Plays the coordinator through its faces, one world per seed. {@code ./coppice simulate} and
 * {@code -Dcoppice.seed=N} work as for {@link SimulationTest}.
 */
class FaceSimulationTest {
    /** Silenced: each of the thousands of removals logs warnings. */
    private static final Logger WARNINGS = Logger.getLogger("removal");

    static {
        WARNINGS.setLevel(Level.OFF);
    }

    private static final int STEPS = 300;
    private static final int SEEDS_TO_FIND_A_FAULT = 60;

    private static final Map<FaceFault, Class<? extends Invariant<FaceWorld>>> FINDS =
            Map.ofEntries(
                    entry(FaceFault.MOVE_UNNOTICED, AFollowerSeesWhatItsCallerSees.class),
                    entry(FaceFault.TREE_CHECK_SKIPPED, AFollowerSeesWhatItsCallerSees.class),
                    entry(FaceFault.ENTRY_PASSED_OVER, AFollowerSeesWhatItsCallerSees.class),
                    entry(FaceFault.READ_TWICE, AFollowerSeesWhatItsCallerSees.class),
                    entry(FaceFault.PREPARED_INSIDE, TheWriterWaitsForNothing.class),
                    entry(FaceFault.RENEWAL_JUDGED_LATE, AHealthyRunIsNeverLost.class),
                    entry(FaceFault.RECEIPT_LOST, AKeyHasOneEffect.class));

    @TempDir static Path registries;

    @BeforeAll
    static void register() throws IOException {
        var directory = registries.resolve("agents").resolve(FaceWorld.CHECKED);
        Files.createDirectories(directory);
        Files.writeString(
                directory.resolve("agent.json"),
                """
                {"name": "checked", "kind": "scripted", "description": "Any.",
                 "capabilities": ["manners"], "parameters_schema": {"type": "object"}}
                """);
    }

    private static FaceWorld world(long seed, FaceFault fault) {
        return FaceWorld.of(seed, fault, registries);
    }

    private static Play<FaceWorld> play() {
        return new Play<>(
                STEPS,
                List.of(
                        new AFollowerSeesWhatItsCallerSees(),
                        new TheWriterWaitsForNothing(),
                        new AHealthyRunIsNeverLost(),
                        new AKeyHasOneEffect()));
    }

    private static FaceWorld.Activity activity(long seed) {
        return play().toItsEnd(seed, world(seed, FaceFault.NONE), _ -> {}).activity();
    }

    @Test
    @LongForm
    void the_invariants_hold_through_the_faces_and_much_happens() {
        var worlds = Play.ofEach(FaceSimulationTest::activity).toList();
        if (Play.isOfOneSeed()) return;
        assertOften(worlds, "requests done", 20, a -> a.done);
        assertOften(worlds, "requests refused", 10, a -> a.refused);
        assertOften(worlds, "requests repeated", 2, a -> a.repeated);
        assertOften(worlds, "parents declared late", 1, a -> a.attached);
        assertOften(worlds, "entries sent to readers", 20, a -> a.sent);
        assertThat(worlds.stream().mapToInt(a -> a.lost).sum())
                .as("runs lost by runners that sleep")
                .isGreaterThan(Play.seeds() / 20);
    }

    private static void assertOften(
            List<FaceWorld.Activity> worlds,
            String what,
            int times,
            ToIntFunction<FaceWorld.Activity> count) {
        assertThat(worlds.stream().mapToInt(count).sum())
                .as(what)
                .isGreaterThan(times * Play.seeds());
    }

    @Test
    void a_seed_plays_the_same_world_again() {
        var world = play().toItsEnd(7, world(7, FaceFault.NONE), _ -> {});
        var again = play().toItsEnd(7, world(7, FaceFault.NONE), _ -> {});
        assertThat(again.story()).isEqualTo(world.story());
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void each_planted_fault_is_found_by_its_invariant(FaceFault fault) {
        boolean isFound =
                LongStream.range(0, SEEDS_TO_FIND_A_FAULT)
                        .mapToObj(seed -> play().play(world(seed, fault), _ -> {}))
                        .flatMap(Optional::stream)
                        .anyMatch(broken -> FINDS.get(fault).isInstance(broken.invariant()));
        assertThat(isFound).as("%s within %d seeds", fault, SEEDS_TO_FIND_A_FAULT).isTrue();
    }
}
