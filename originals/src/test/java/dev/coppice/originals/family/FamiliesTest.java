package dev.coppice.originals.family;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.store.Given;
import dev.coppice.store.Stores;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;

/** Pairs of sessions in the words of the relationship schema, on both databases. */
class FamiliesTest {
    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_declared_pair_is_counted_and_a_child_is_described(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            var a = Given.root("a");
            var b = Given.root("b");
            var child = Given.child(b, "c");
            var families = new Families();
            var pair = new Families.Pair("sibling", "manual", "parallel", "{\"k\":1}");
            boolean isDescribed =
                    store.transactions()
                            .write(() -> {
                                store.sessions().add(a);
                                store.sessions().add(b);
                                store.sessions().add(child);
                                families.declare(a.id(), b.id(), pair, Given.T);
                                return families.describe(b.id(), child.id(), pair);
                            });
            assertThat(isDescribed).isTrue();
            var counts =
                    store.transactions()
                            .read(() -> families.count(Instant.EPOCH, Given.T.plusSeconds(9)));
            assertThat(counts).extracting(Families.Count::pairs).containsExactly(2L);
            assertThat(store.transactions().read(() -> families.family(b.id(), 1, 10)))
                    .extracting(Families.Member::id)
                    .containsExactly(new SessionId("b"), new SessionId("c"));
        }
    }
}
