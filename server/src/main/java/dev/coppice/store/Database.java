package dev.coppice.store;

import dev.coppice.kernel.Transactions;

/** A database that is open: transactions, and what its dialect needs. */
public interface Database extends Transactions, AutoCloseable {
    Dialect dialect();

    @Override
    void close();
}
