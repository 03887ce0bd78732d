package dev.coppice.operations.look;

import dev.coppice.access.Need;
import dev.coppice.alert.Alert;
import dev.coppice.alert.Alert.Delivery;
import dev.coppice.alert.Alerts;
import dev.coppice.alert.Alerts.Cause;
import dev.coppice.alert.DeliverAlerts.Channels;
import dev.coppice.alert.RaiseAlerts;
import dev.coppice.alert.Routing;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.view.AlertViews;
import dev.coppice.wire.Call;
import dev.coppice.wire.look.AlertCalls;
import dev.coppice.wire.look.AlertCalls.RulesView;
import dev.coppice.wire.look.AlertCalls.TestView;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Lists alerts, and shows and tests their rules. */
public record AlertOperations(
        Scope scope,
        Alerts alerts,
        Routing routing,
        Channels channels,
        Supplier<RulesView> rules,
        InstantSource clock) {
    private static final SessionId NOBODY = new SessionId("test");

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(AlertCalls.LIST, Need.READ, this::list),
                Operation.of(AlertCalls.RULES, Need.READ_FLEET, this::rules),
                Operation.changingOutside(
                        AlertCalls.TEST, Need.DEFINE, scope.transactions(), this::test));
    }

    private Outcome<AlertCalls.Page> list(Context x, AlertCalls.Find in) {
        return scope.transactions()
                .read(() -> {
                    var named = scope.visible(x, "session_id", in.sessionId());
                    var within = named == null ? x.session() : named;
                    var page = alerts.list(within, Given.cursor(in.page()));
                    return Outcome.done(
                            new AlertCalls.Page(
                                    page.items().stream().map(AlertViews::of).toList(),
                                    page.next()));
                });
    }

    private Outcome<RulesView> rules(Context x, Call.Nothing in) {
        return Outcome.done(rules.get());
    }

    private Outcome<AlertCalls.Tested> test(Context x, AlertCalls.Test in) {
        var now = clock.instant();
        var cause =
                scope.transactions()
                        .read(() -> cause(scope.visible(x, "session_id", in.sessionId()), in, now));
        var deliveries =
                scope.transactions()
                        .read(() ->
                                routing.deliveries(
                                        cause,
                                        top ->
                                                RaiseAlerts.isWithin(
                                                        scope.sessions(), cause.session(), top)));
        var named = in.channel();
        if (named != null) {
            if (channels.channel(named) == null) {
                throw Given.bad("channel", named, "one of " + rules.get().channels());
            }
            deliveries = List.of(new Delivery(named, Alert.State.DUE, 0, now, null));
        }
        var tested = new ArrayList<TestView>();
        for (var delivery : deliveries) tested.add(test(cause, delivery, now));
        return Outcome.done(new AlertCalls.Tested(List.copyOf(tested)));
    }

    private Cause cause(
            @org.jspecify.annotations.Nullable SessionId session, AlertCalls.Test in, Instant now) {
        var name = session == null ? "test" : scope.sessions().find(session).orElseThrow().name();
        var id = session == null ? NOBODY : session;
        return new Cause(id, name, in.kind(), "test", "This is a test", now, null);
    }

    private TestView test(Cause cause, Delivery delivery, Instant now) {
        var channel = channels.channel(delivery.channel());
        var alert =
                new Alert(
                        "alert_test",
                        cause.session(),
                        cause.name(),
                        cause.kind(),
                        cause.key(),
                        cause.reason(),
                        now,
                        List.of(delivery));
        var error = channel == null ? "there is no such channel" : channel.take(alert);
        var due = delivery.due();
        var waits = due == null || !due.isAfter(now) ? null : due.toString();
        return new TestView(delivery.channel(), error == null, error, waits);
    }
}
