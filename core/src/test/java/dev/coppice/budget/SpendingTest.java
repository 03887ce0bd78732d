package dev.coppice.budget;

import static dev.coppice.scene.Scene.below;
import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;
import static dev.coppice.scene.Scene.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.fleet.ClaimRun.Claim;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Scene;
import dev.coppice.session.SessionState;
import dev.coppice.word.BudgetPolicy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** Budgets of trees, and the consequences when they are spent. */
class SpendingTest {
    private final Scene scene = new Scene();
    private final RunnerId runner = scene.runner("r1", 8);

    private Claim begun(String name) {
        var claim = scene.claim(runner).orElseThrow();
        done(scene.confirmed(claim));
        assertThat(claim.session().name()).isEqualTo(name);
        return claim;
    }

    private Claim root() {
        done(scene.run(named("top")));
        return begun("top");
    }

    private void budget(String session, Amounts max, BudgetPolicy policy) {
        done(scene.rules.spending.set(scene.rules.ports, new SessionId(session), max, policy));
    }

    private static Amounts tokens(long tokens) {
        return new Amounts(tokens, null, null, null, null);
    }

    private void spend(String session, long tokens) {
        scene.store.write(() -> {
            scene.rules.spending.spend(
                    scene.rules.ports, new SessionId(session), Amounts.spent(tokens, 0, 0));
            return 0;
        });
    }

    private List<String> announced() {
        return scene.entries().stream()
                .map(e -> e.fact())
                .filter(Fact.BudgetUsed.class::isInstance)
                .map(f -> ((Fact.BudgetUsed) f).what())
                .toList();
    }

    private Amounts total(String session) {
        return scene.store.read(
                () -> scene.store.budgets().total(new SessionId(session), scene.clock.instant()));
    }

    @Test
    void the_spending_of_a_leaf_counts_for_every_ancestor() {
        root();
        done(scene.run(below("top", "mid")));
        done(scene.run(below("mid", "leaf")));
        spend("leaf", 70);
        spend("mid", 5);
        assertThat(total("leaf").tokens()).isEqualTo(70);
        assertThat(total("mid").tokens()).isEqualTo(75);
        assertThat(total("top").tokens()).isEqualTo(75);
        assertThat(total("top").sessions()).isEqualTo(3);
        assertThat(total("top").runs()).isEqualTo(3);
    }

    @Test
    void eighty_percent_is_announced_once_and_at_a_hundred_new_work_is_refused() {
        root();
        budget("top", tokens(100), BudgetPolicy.REFUSE);
        spend("top", 79);
        assertThat(announced()).isEmpty();
        spend("top", 1);
        spend("top", 1);
        assertThat(announced()).containsExactly("nearly_spent");
        done(scene.run(below("top", "still")));
        spend("top", 19);
        assertThat(announced()).containsExactly("nearly_spent", "spent");
        assertThat(refused(scene.run(below("top", "late"))))
                .isEqualTo(
                        new RequestRefusal.BudgetSpent("tokens", 100, 100, new SessionId("top")));
        assertThat(scene.claim(runner)).as("queued runs").isEmpty();
        budget("top", tokens(200), BudgetPolicy.REFUSE);
        begun("still");
    }

    @Test
    void a_corrected_charge_lets_queued_runs_be_claimed_again() {
        root();
        done(scene.run(below("top", "still")));
        budget("top", tokens(100), BudgetPolicy.REFUSE);
        spend("top", 100);
        assertThat(scene.claim(runner)).as("queued runs").isEmpty();
        spend("top", -1);
        begun("still");
    }

    @Test
    void a_thawed_tree_lets_queued_runs_be_claimed_again() {
        root();
        done(scene.run(below("top", "still")));
        budget("top", tokens(100), BudgetPolicy.FREEZE);
        spend("top", 100);
        assertThat(scene.claim(runner)).as("queued runs").isEmpty();
        budget("top", tokens(200), BudgetPolicy.FREEZE);
        assertThat(scene.claim(runner)).as("queued runs of a frozen tree").isEmpty();
        done(scene.rules.freeze.thaw(new SessionId("top")));
        begun("still");
    }

    @Test
    void runs_and_sessions_are_counted_before_they_start() {
        var top = root();
        budget("top", new Amounts(null, null, null, 3L, 2L), BudgetPolicy.REFUSE);
        done(scene.run(below("top", "one")));
        assertThat(refused(scene.run(below("top", "two"))).said()).contains("2 of 2 sessions");
        done(scene.finished(top, "ready"));
        done(scene.resume("top"));
        done(scene.stop("top"));
        assertThat(refused(scene.resume("top")).said()).contains("3 of 3 runs");
    }

    @Test
    void a_spent_budget_with_policy_stop_stops_the_tree() {
        var top = root();
        budget("top", tokens(100), BudgetPolicy.STOP);
        spend("top", 100);
        assertThat(scene.look("top").state()).isInstanceOf(SessionState.Stopping.class);
        done(scene.stopped(top));
    }

    @Test
    void a_spent_budget_with_policy_freeze_freezes_the_tree() {
        root();
        budget("top", tokens(100), BudgetPolicy.FREEZE);
        spend("top", 250);
        assertThat(scene.look("top").standing().frozen()).isNotNull();
    }

    @Test
    void time_is_spent_without_any_report() {
        root();
        budget("top", new Amounts(null, null, 60_000L, null, null), BudgetPolicy.STOP);
        scene.clock.pass(Duration.ofSeconds(50));
        scene.rules.spending.endOutOfTime(scene.rules.ports);
        assertThat(announced()).containsExactly("nearly_spent");
        scene.clock.pass(Duration.ofSeconds(10));
        scene.rules.spending.endOutOfTime(scene.rules.ports);
        assertThat(announced()).containsExactly("nearly_spent", "spent");
        assertThat(scene.look("top").state()).isInstanceOf(SessionState.Stopping.class);
    }

    @Test
    void the_time_of_ended_runs_still_counts() {
        var top = root();
        scene.clock.pass(Duration.ofSeconds(7));
        done(scene.finished(top, "ready"));
        scene.clock.pass(Duration.ofSeconds(70));
        assertThat(total("top").wallMillis()).isEqualTo(7_000);
    }

    @Test
    void the_budget_of_a_child_is_capped_at_the_rest_of_its_ancestors() {
        root();
        budget("top", tokens(100), BudgetPolicy.REFUSE);
        spend("top", 40);
        done(scene.run(below("top", "kid")));
        budget("kid", tokens(500), BudgetPolicy.REFUSE);
        var given = scene.store.read(() -> scene.store.budgets().budgetOf(new SessionId("kid")));
        assertThat(given.orElseThrow().max().tokens()).isEqualTo(60);
    }

    /** Each kind is announced independently of the others. */
    @Test
    void every_kind_is_announced_and_enforced_independently() {
        done(scene.run(named("top")));
        var id = new SessionId("top");
        var max = new Amounts(100L, 1_000L, null, null, null);
        done(scene.rules.spending.set(scene.rules.ports, id, max, BudgetPolicy.FREEZE));
        scene.store.write(() -> {
            scene.rules.spending.spend(scene.rules.ports, id, Amounts.spent(85, 0, 0));
            return 0;
        });
        scene.store.write(() -> {
            scene.rules.spending.spend(scene.rules.ports, id, Amounts.spent(1, 1_000, 0));
            return 0;
        });
        var announced =
                scene.entries().stream()
                        .map(dev.coppice.journal.Entry::fact)
                        .filter(f -> f instanceof dev.coppice.journal.Fact.BudgetUsed)
                        .map(f -> (dev.coppice.journal.Fact.BudgetUsed) f)
                        .map(f -> f.kind() + " " + f.what())
                        .toList();
        assertThat(announced).containsExactly("tokens nearly_spent", "cost_micros spent");
        assertThat(scene.look("top").standing().frozen()).isNotNull();
    }
}
