package dev.coppice.store;

import dev.coppice.kernel.Transactions;

import java.util.Optional;

/** A database that is open: transactions, and what its dialect needs. */
public interface Database extends Transactions, AutoCloseable {
    Dialect dialect();

    /** What keeps writes from being answered, if anything does; asked without waiting. */
    Optional<String> condition();

    @Override
    void close();
}
