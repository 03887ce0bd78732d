package dev.coppice.store;

import dev.coppice.kernel.Signals;
import dev.coppice.kernel.Topic;

/** Collects the signals that the current transaction sends after it commits. */
final class SqlSignals implements Signals {
    @Override
    public void raise(Topic topic) {
        Tx.current().raise(topic);
    }
}
