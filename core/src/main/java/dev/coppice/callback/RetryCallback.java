package dev.coppice.callback;

import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;

/** Retries a callback that was given up, or delivers an owed one without its wait. */
public final class RetryCallback {
    private final Ports ports;
    private final CallbackPorts own;

    public RetryCallback(Ports ports, CallbackPorts own) {
        this.ports = ports;
        this.own = own;
    }

    public Outcome<Callback> retry(CallbackId id) {
        return ports.transactions()
                .write(() -> {
                    var found = own.callbacks().find(id);
                    if (found.isEmpty()) {
                        return Outcome.refused(new CallbackRefusal.CallbackUnknown(id.value()));
                    }
                    var now = ports.clock().instant();
                    var asked = own.move(found.get(), new CallbackEvent.AskedAgain(now));
                    ports.signals().raise(new Topic.CallbackDue());
                    return asked.<Outcome<Callback>>map(Outcome::done)
                            .orElseGet(() ->
                                    Outcome.refused(
                                            new CallbackRefusal.NotDead(
                                                    id.value(), found.get().state().word())));
                });
    }
}
