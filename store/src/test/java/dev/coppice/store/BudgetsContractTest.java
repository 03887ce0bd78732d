package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.budget.Amounts;
import dev.coppice.budget.Amounts.Kind;
import dev.coppice.budget.Budget;
import dev.coppice.budget.Budgets;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.wiring.Store;
import dev.coppice.word.BudgetPolicy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Map;
import java.util.function.Supplier;

/** The contract of every store for budgets. */
class BudgetsContractTest {
    private static final Session TOP = Given.root("top");
    private static final Session MID = Given.child(TOP, "mid");
    private static final Session LEAF = Given.child(MID, "leaf");

    private static <T> T write(Store store, Supplier<T> work) {
        return store.transactions().write(work);
    }

    private static void begin(Store store) {
        write(
                store,
                () -> {
                    store.runners().save(Given.runner("r"));
                    store.sessions().add(TOP);
                    store.sessions().add(MID);
                    store.sessions().add(LEAF);
                    store.runs().add(Given.run("run_m", MID));
                    store.runs().add(Given.run("run_l", LEAF));
                    var lease = Given.lease("r", 1, Given.T.plusSeconds(30));
                    var running = new RunState.Running(lease, Given.T);
                    store.runs().save(Given.in(Given.run("run_l", LEAF), running));
                    return 0;
                });
    }

    @ParameterizedTest
    @EnumSource
    void spending_is_added_to_all_ancestors(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            write(
                    store,
                    () -> {
                        store.budgets().add(LEAF.id(), Amounts.spent(10, 200, 3_000));
                        store.budgets().add(MID.id(), Amounts.spent(1, 0, 0));
                        store.budgets().add(LEAF.id(), Amounts.spent(5, 0, 0));
                        return 0;
                    });
            var later = Given.T.plusSeconds(2);
            var budgets = store.budgets();
            assertThat(write(store, () -> budgets.own(LEAF.id(), later)))
                    .isEqualTo(new Amounts(15L, 200L, 5_000L, 1L, 1L));
            assertThat(write(store, () -> budgets.own(MID.id(), later)))
                    .isEqualTo(new Amounts(1L, 0L, 0L, 1L, 1L));
            assertThat(write(store, () -> budgets.total(TOP.id(), later)))
                    .isEqualTo(new Amounts(16L, 200L, 5_000L, 2L, 3L));
            assertThat(write(store, () -> budgets.own(TOP.id(), later)))
                    .isEqualTo(new Amounts(0L, 0L, 0L, 0L, 1L));
        }
    }

    /** The sum of enough reports was no number any more: then no report of the tree was taken. */
    @ParameterizedTest
    @EnumSource
    void more_than_anybody_can_spend_is_not_counted(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            var much = Amounts.spent(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, 0);
            for (int i = 0; i < 4; i++) {
                write(
                        store,
                        () -> {
                            store.budgets().add(LEAF.id(), much);
                            return 0;
                        });
            }
            var budgets = store.budgets();
            var most = Budgets.COUNTED_MAX;
            assertThat(write(store, () -> budgets.own(LEAF.id(), Given.T)).tokens())
                    .isEqualTo(most);
            var total = write(store, () -> budgets.total(TOP.id(), Given.T));
            assertThat(total.tokens()).isEqualTo(most);
            assertThat(total.costMicros()).isEqualTo(most);
            write(
                    store,
                    () -> {
                        budgets.add(LEAF.id(), Amounts.spent(-1, 0, 0));
                        return 0;
                    });
            assertThat(write(store, () -> budgets.total(TOP.id(), Given.T)).tokens())
                    .isEqualTo(most - 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void budgets_are_listed_nearest_first(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            var some = new Amounts(5L, null, 7L, null, 9L);
            var top = new Budget(TOP.id(), some, BudgetPolicy.STOP, Map.of());
            var mid =
                    new Budget(
                            MID.id(),
                            Amounts.NONE,
                            BudgetPolicy.REFUSE,
                            Map.of(Kind.RUNS, Budget.Warned.NEARLY));
            var spent =
                    new Budget(
                            TOP.id(),
                            some,
                            BudgetPolicy.STOP,
                            Map.of(
                                    Kind.WALL_MILLIS,
                                    Budget.Warned.SPENT,
                                    Kind.COST_MICROS,
                                    Budget.Warned.NEARLY));
            write(
                    store,
                    () -> {
                        store.budgets().save(top);
                        store.budgets().save(mid);
                        return 0;
                    });
            var budgets = store.budgets();
            assertThat(write(store, () -> budgets.budgetsAbove(LEAF.id())))
                    .containsExactly(mid, top);
            assertThat(write(store, () -> budgets.budgetOf(TOP.id()))).contains(top);
            assertThat(write(store, () -> budgets.budgetOf(LEAF.id()))).isEmpty();
            assertThat(write(store, () -> budgets.runningOut(5))).containsExactly(top);
            write(
                    store,
                    () -> {
                        budgets.save(spent);
                        return 0;
                    });
            assertThat(write(store, () -> budgets.budgetOf(TOP.id()))).contains(spent);
            assertThat(write(store, () -> budgets.runningOut(5))).isEmpty();
        }
    }
}
