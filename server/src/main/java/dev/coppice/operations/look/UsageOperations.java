package dev.coppice.operations.look;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.operations.Scope;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.session.Session;
import dev.coppice.usage.ModelUses;
import dev.coppice.wire.Call;
import dev.coppice.wire.look.UsageCalls;
import dev.coppice.wire.look.UsageCalls.ModelView;
import dev.coppice.wire.look.UsageCalls.PartView;
import dev.coppice.wire.look.UsageCalls.PricesView;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** Shows which models were used, and for which price. */
public record UsageOperations(
        Scope scope, ModelUses uses, Supplier<PricesView> prices, InstantSource clock) {
    private static final long PARTS = 60;
    private static final Duration PART_MIN = Duration.ofMinutes(1);

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(
                        UsageCalls.READ,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), this::view)),
                Operation.of(
                        UsageCalls.SPENT, Need.READ, new SpentInTime(scope, uses, clock)::read),
                Operation.of(UsageCalls.PRICES, Need.READ, this::prices));
    }

    private Outcome<PricesView> prices(Context x, Call.Nothing in) {
        return Outcome.done(prices.get());
    }

    private UsageCalls.UsageView view(Session session) {
        return new UsageCalls.UsageView(
                session.id().value(),
                session.name(),
                uses.own(session.id()).stream().map(UsageOperations::view).toList(),
                uses.all(session.id()).stream().map(UsageOperations::view).toList(),
                uses.span(session.id()).map(span -> parts(session, span)).orElse(List.of()));
    }

    private List<PartView> parts(Session session, ModelUses.Span span) {
        var each = Duration.between(span.first(), span.last()).dividedBy(PARTS).plusMillis(1);
        var width = each.compareTo(PART_MIN) < 0 ? PART_MIN : each;
        return uses.over(session.id(), span.first(), width).stream()
                .map(p -> new PartView(p.from().toString(), p.tokens(), p.costMicros()))
                .toList();
    }

    static ModelView view(ModelUses.Sum sum) {
        var tokens = sum.tokens();
        return new ModelView(
                sum.model(),
                sum.calls(),
                tokens.input(),
                tokens.output(),
                tokens.cacheRead(),
                tokens.cacheWrite(),
                tokens.cacheWriteHour(),
                sum.costMicros(),
                sum.unpriced());
    }
}
