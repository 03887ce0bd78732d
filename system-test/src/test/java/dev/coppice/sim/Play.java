package dev.coppice.sim;

import dev.coppice.scene.Soak;
import dev.coppice.sim.invariant.Invariant;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Plays a world step by step, and holds it to its invariants after each of them. */
record Play<W extends Simulated>(int steps, List<Invariant<W>> invariants) {
    private static final int SEEDS = Integer.getInteger("coppice.seeds", Soak.size(60, 2_000));
    private static final long ONLY = Long.getLong("coppice.seed", -1L);

    /** The first invariant that a world broke, and the world with its story up to there. */
    record Break<W>(Invariant<W> invariant, String what, W world) {}

    static int seeds() {
        return SEEDS;
    }

    /** True if one seed is repeated, so that little may happen. */
    static boolean isOfOneSeed() {
        return ONLY >= 0;
    }

    Optional<Break<W>> play(W world, Consumer<W> eachStep) {
        for (int i = 0; i <= steps; i++) {
            try {
                if (i < steps) world.step();
                else world.calm();
                if (i < steps) eachStep.accept(world);
            } catch (RuntimeException e) {
                var where = List.of(e.getStackTrace()).subList(0, 8);
                throw new AssertionError(
                        "a command threw at %s after%n%s".formatted(where, world.story()), e);
            }
            for (var invariant : invariants) {
                var broken = invariant.broken(world);
                if (broken.isPresent())
                    return Optional.of(new Break<>(invariant, broken.get(), world));
            }
        }
        return Optional.empty();
    }

    /** Plays a world to its end, in which no invariant may break. */
    W toItsEnd(long seed, W world, Consumer<W> eachStep) {
        play(world, eachStep)
                .ifPresent(b -> {
                    throw new AssertionError(
                            "seed %d breaks %s: %s%n%s"
                                    .formatted(
                                            seed,
                                            b.invariant().name(),
                                            b.what(),
                                            b.world().story()));
                });
        return world;
    }

    /** The world of each seed. Worlds share no state, so they run in parallel. */
    static <T> Stream<T> ofEach(LongFunction<T> seed) {
        return LongStream.range(ONLY < 0 ? 0 : ONLY, ONLY < 0 ? SEEDS : ONLY + 1)
                .parallel()
                .mapToObj(seed);
    }
}
