package dev.coppice.usage;

import dev.coppice.budget.Amounts;
import dev.coppice.budget.Spending;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Ports;
import dev.coppice.usage.ModelUses.Charged;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.Optional;

/**
 * Counts each use of a model once, and charges it to the session that made it and to the budgets
 * above. A source that knows better which agent made a call moves the charge.
 */
public final class RecordUse {
    private static final int REPRICED_AT_ONCE = 500;

    private final Ports ports;
    private final Spending spending;
    private final ModelUses uses;
    private final Prices prices;

    public RecordUse(Ports ports, Spending spending, ModelUses uses, Prices prices) {
        this.ports = ports;
        this.spending = spending;
        this.uses = uses;
        this.prices = prices;
    }

    /**
     * {@code main} is the session of the program, {@code session} the agent in it that made the
     * call. Joins the current transaction.
     */
    public void record(SessionId session, SessionId main, ModelUse use) {
        var source = use.source();
        if (source.isSum() && uses.hasCalls(main)) return;
        if (isOfAnotherTree(use.key(), session)) return;
        for (var sum : uses.sums(main)) {
            int order = source.compareTo(sum.use().source());
            if (order < 0) return;
            if (order > 0) drop(sum);
        }
        var like = uses.like(use.key());
        if (like.isEmpty()) {
            var cost = cost(use);
            uses.add(session, main, use, cost);
            charge(session, use.tokens().all(), orZero(cost));
            return;
        }
        // Two sources knew one id each, and a third knows both.
        var known = like.getFirst();
        for (var other : like.subList(1, like.size())) {
            drop(other);
            known = merged(known, other.session(), other.use());
        }
        merged(known, session, use);
    }

    /**
     * A caller that knows the id of a call of another tree must not charge or relieve that tree.
     */
    private boolean isOfAnotherTree(ModelUse.Key key, SessionId session) {
        return uses.like(key).stream().anyMatch(known -> !isOneTree(known.session(), session));
    }

    private boolean isOneTree(SessionId one, SessionId other) {
        if (one.equals(other)) return true;
        var root = rootOf(one);
        return root.isPresent() && root.equals(rootOf(other));
    }

    private Optional<SessionId> rootOf(SessionId session) {
        return ports.sessions().find(session).map(found -> found.place().root());
    }

    private Charged merged(Charged known, SessionId session, ModelUse use) {
        var before = known.use();
        // A copy of a transcript, as a fork has, must not take the charge along.
        boolean isBetter = use.source().compareTo(before.source()) > 0;
        var best = isBetter ? use : before;
        var told = isBetter ? use.costMicros() : most(before.costMicros(), use.costMicros());
        if (told == null) told = before.costMicros();
        var both =
                new ModelUse(
                        before.key().and(use.key()),
                        best.model(),
                        before.tokens().most(use.tokens()),
                        told,
                        best.source(),
                        before.at().isBefore(use.at()) ? before.at() : use.at());
        var cost = cost(both);
        var after = new Charged(known.key(), isBetter ? session : known.session(), both, cost);
        if (after.equals(known)) return known;
        uses.save(after);
        long tokens = both.tokens().all();
        if (after.session().equals(known.session())) {
            charge(
                    after.session(),
                    tokens - before.tokens().all(),
                    orZero(cost) - orZero(known.costMicros()));
        } else {
            charge(known.session(), -before.tokens().all(), -orZero(known.costMicros()));
            charge(after.session(), tokens, orZero(cost));
        }
        return after;
    }

    private static @Nullable Long most(@Nullable Long one, @Nullable Long other) {
        if (one == null || other == null) return one == null ? other : one;
        return Math.max(one, other);
    }

    private void drop(Charged use) {
        uses.delete(use);
        charge(use.session(), -use.use().tokens().all(), -orZero(use.costMicros()));
    }

    private @Nullable Long cost(ModelUse use) {
        return use.costMicros() == null
                ? prices.micros(use.model(), use.tokens())
                : use.costMicros();
    }

    private void charge(SessionId session, long tokens, long costMicros) {
        if (tokens == 0 && costMicros == 0) return;
        if (ports.sessions().find(session).isEmpty()) return;
        spending.spend(ports, session, Amounts.spent(tokens, costMicros, 0));
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    /** Charges uses whose model has a price by now; returns how many. */
    public int reprice() {
        int priced = 0;
        long after = 0;
        while (true) {
            long from = after;
            var some = ports.transactions().read(() -> uses.withoutCost(from, REPRICED_AT_ONCE));
            if (some.isEmpty()) return priced;
            priced += ports.transactions().writeInBackground(() -> repriced(some));
            after = some.stream().map(Charged::key).max(Comparator.naturalOrder()).orElse(from);
        }
    }

    private int repriced(java.util.List<Charged> some) {
        int priced = 0;
        for (var use : some) {
            var cost = cost(use.use());
            if (cost == null) continue;
            uses.save(new Charged(use.key(), use.session(), use.use(), cost));
            charge(use.session(), 0, cost);
            priced++;
        }
        return priced;
    }
}
