package dev.coppice.store;

import dev.coppice.kernel.Transactions;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A database that is open: transactions, and what its dialect needs. */
public interface Database extends Transactions, AutoCloseable {
    Dialect dialect();

    /** What keeps writes from being answered, if anything does; asked without waiting. */
    Optional<String> condition();

    /**
     * Whether its pages and indexes fit together: what is wrong, or nothing, also when this much
     * time was not enough to look at everything.
     */
    List<String> damage(Duration budget);

    @Override
    void close();
}
