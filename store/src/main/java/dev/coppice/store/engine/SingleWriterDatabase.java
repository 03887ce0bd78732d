package dev.coppice.store.engine;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Supplier;

/** A database whose writes all go through one {@link Writer}. */
abstract class SingleWriterDatabase implements Database {
    abstract Writer writer();

    @Override
    public final <T extends @Nullable Object> T write(Supplier<T> work) {
        return Tx.isUnderWay() ? work.get() : writer().submit(work);
    }

    @Override
    public final <T extends @Nullable Object> T writeInBackground(Supplier<T> work) {
        return Tx.isUnderWay() ? work.get() : writer().writeInBackground(work);
    }

    @Override
    public final boolean othersWait() {
        return writer().hasWaiting();
    }

    @Override
    public final <T extends @Nullable Object> T writeBeforeOthers(Supplier<T> work) {
        return Tx.isUnderWay() ? work.get() : writer().submitFirst(work);
    }

    @Override
    public final long writePauses() {
        return writer().pauses();
    }

    @Override
    public final long slowWrites() {
        return writer().slowWrites();
    }

    @Override
    public final Optional<String> condition() {
        return writer().condition();
    }
}
