package dev.coppice.store;

import dev.coppice.kernel.Signals;
import dev.coppice.kernel.Topic;

/** Collects what the transaction under way will say when it has committed. */
final class SqlSignals implements Signals {
    @Override
    public void raise(Topic topic) {
        Tx.current().raise(topic);
    }
}
