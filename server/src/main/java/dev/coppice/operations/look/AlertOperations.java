package dev.coppice.operations.look;

import dev.coppice.access.Need;
import dev.coppice.alert.Alerts;
import dev.coppice.kernel.Outcome;
import dev.coppice.operation.Context;
import dev.coppice.operation.Operation;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.view.AlertViews;
import dev.coppice.wire.session.AlertCalls;

import java.util.List;

/** Lists alerts. */
public record AlertOperations(Scope scope, Alerts alerts) {
    public List<Operation<?, ?>> all() {
        return List.of(Operation.of(AlertCalls.LIST, Need.READ, this::list));
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
}
