package dev.coppice.store.engine;

import dev.coppice.kernel.Transactions;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An open database: its transactions, dialect and health. */
public interface Database extends Transactions, AutoCloseable {
    SqlDialect dialect();

    /** The reason why writes are not being answered, if there is one. Does not block. */
    Optional<String> condition();

    /**
     * Checks pages and indexes; returns the flaws. Also empty if the budget ends before the check
     * does.
     */
    List<String> damage(Duration budget);

    @Override
    void close();
}
