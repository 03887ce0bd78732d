package dev.coppice.store;

import static dev.coppice.scene.Scene.done;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.budget.Amounts;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.Runner;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunnerId;
import dev.coppice.session.Session;
import dev.coppice.store.schema.Databases;
import dev.coppice.wiring.Rules;
import dev.coppice.wiring.Store;
import dev.coppice.word.BudgetPolicy;

import org.junit.jupiter.api.Test;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Each poll claims within a write, so its cost must not depend on what it cannot claim. */
class ClaimGrowthTest {
    private static final int FEW = 100;
    private static final int MANY = 3_000;
    private static final RunnerId RUNNER = new RunnerId("r");
    private static final Session TOP = Given.root("top");
    private static final Session OTHER = Given.root("other");

    @Test
    void a_claim_passes_over_a_spent_tree_however_many_runs_wait_in_it() {
        Consumer<Rules> spend = ClaimGrowthTest::spend;
        assertThat(steps(MANY, spend)).isLessThan(2 * steps(FEW, spend));
    }

    @Test
    void a_claim_passes_over_a_frozen_tree_however_many_runs_wait_in_it() {
        Consumer<Rules> freeze = rules -> done(rules.freeze.freeze(TOP.id()));
        assertThat(steps(MANY, freeze)).isLessThan(2 * steps(FEW, freeze));
    }

    private static void spend(Rules rules) {
        var max = new Amounts(100L, null, null, null, null);
        done(rules.spending.set(rules.ports, TOP.id(), max, BudgetPolicy.REFUSE));
        rules.ports
                .transactions()
                .writeInBackground(() -> {
                    rules.spending.spend(rules.ports, TOP.id(), Amounts.spent(100, 0, 0));
                    return 0;
                });
    }

    /** The steps of a claim, after one that has met the tree and claimed what waited behind it. */
    private static long steps(int runs, Consumer<Rules> hold) {
        var file = Stores.file();
        var steps = Steps.of(file);
        try (var database = Databases.sqlite(file, InstantSource.system(), _ -> {})) {
            var store = SqlStore.on(database);
            var rules = Given.rules(store);
            queue(store, runs);
            hold.accept(rules);
            assertThat(claimed(rules)).containsExactly("other");
            return steps.during(() -> assertThat(claimed(rules)).isEmpty());
        }
    }

    private static void queue(Store store, int runs) {
        store.transactions()
                .writeInBackground(() -> {
                    store.runners().save(runner());
                    store.sessions().add(TOP);
                    for (int i = 0; i < runs; i++) {
                        var child = Given.child(TOP, "child" + i);
                        store.sessions().add(child);
                        store.runs().add(Given.run("run_" + i, child));
                    }
                    store.sessions().add(OTHER);
                    store.runs().add(Given.run("run_other", OTHER));
                    return 0;
                });
    }

    /** A runner that meets the demands of the runs. */
    private static Runner runner() {
        return new Runner(
                RUNNER,
                new Runner.Post("host", "/", "local"),
                new Runner.Skills(
                        JsonText.EMPTY_OBJECT,
                        "autonomous",
                        Set.of("gpu", "big"),
                        Runner.Matching.ANY_RUN,
                        8,
                        null),
                Runner.Protocol.FENCED,
                Given.T,
                Given.T);
    }

    private static List<String> claimed(Rules rules) {
        return done(rules.claim.claim(RUNNER, new ClaimRun.Ask(false, 16, 1))).stream()
                .map(claim -> claim.session().name())
                .toList();
    }
}
