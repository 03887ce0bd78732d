package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.session.Session;
import dev.coppice.usage.ModelUse;
import dev.coppice.usage.ModelUses.Part;
import dev.coppice.usage.ModelUses.Spent;
import dev.coppice.usage.TokenCounts;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;

/** Sums of what models used, on each database. */
class ModelUsesTest {
    private static final Session PLAN = Given.root("plan");
    private static final Instant FROM = Instant.parse("2026-11-29T00:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Instant UNTIL = FROM.plus(HOUR.multipliedBy(24));

    private static ModelUse use(String id, Instant at) {
        return new ModelUse(
                new ModelUse.Key(id, null),
                "some-model",
                new TokenCounts(100, 20, 3, 0, 0),
                null,
                ModelUse.Source.HOOK,
                at);
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void uses_are_summed_in_a_time_and_over_it(Stores kind) {
        try (var opened = kind.open(_ -> {})) {
            var uses = new SqlModelUses();
            opened.store()
                    .transactions()
                    .write(() -> {
                        opened.store().sessions().add(PLAN);
                        uses.add(PLAN.id(), PLAN.id(), use("a", FROM.plusSeconds(5)), 7L);
                        uses.add(PLAN.id(), PLAN.id(), use("b", FROM.plus(HOUR)), null);
                        uses.add(PLAN.id(), PLAN.id(), use("late", UNTIL), 1L);
                        return true;
                    });
            opened.store()
                    .transactions()
                    .read(() -> {
                        var spent = uses.spent(null, FROM, UNTIL, 10);
                        assertThat(spent).hasSize(1);
                        assertThat(spent.getFirst().tree()).isEqualTo("plan");
                        assertThat(spent.getFirst().sum().costMicros()).isEqualTo(7);
                        assertThat(spent.getFirst().sum().unpriced()).isEqualTo(123);
                        var labelled = new ArrayList<Spent>();
                        uses.labelled(PLAN.id(), FROM, UNTIL, 10, labelled::add);
                        assertThat(labelled.getFirst().metadata()).startsWith("{");
                        assertThat(uses.spentOver(null, FROM, UNTIL, HOUR))
                                .containsExactly(
                                        new Part(FROM, 123, 7), new Part(FROM.plus(HOUR), 123, 0));
                        assertThat(uses.over(PLAN.id(), FROM, HOUR)).hasSize(3);
                        assertThat(uses.between(PLAN.id(), FROM, UNTIL, 10)).hasSize(2);
                        return true;
                    });
        }
    }
}
