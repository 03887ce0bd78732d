package dev.coppice.callback;

import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;

/** Retries a callback that was given up. */
public final class AskAgain {
    private final Desk desk;
    private final CallbackDesk own;

    public AskAgain(Desk desk, CallbackDesk own) {
        this.desk = desk;
        this.own = own;
    }

    public Outcome<Callback> again(CallbackId id) {
        return desk.transactions()
                .write(() -> {
                    var found = own.callbacks().find(id);
                    if (found.isEmpty()) {
                        return Outcome.refused(new CallbackRefusal.CallbackUnknown(id.value()));
                    }
                    var now = desk.clock().instant();
                    var asked = own.move(found.get(), new CallbackEvent.AskedAgain(now));
                    desk.signals().raise(new Topic.CallbackDue());
                    return asked.<Outcome<Callback>>map(Outcome::done)
                            .orElseGet(() ->
                                    Outcome.refused(
                                            new CallbackRefusal.NotDead(
                                                    id.value(), found.get().state().word())));
                });
    }
}
