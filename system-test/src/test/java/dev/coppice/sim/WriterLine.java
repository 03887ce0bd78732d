package dev.coppice.sim;

import dev.coppice.held.HeldStore;
import dev.coppice.kernel.Transactions;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The line in front of the writer, on virtual time. While the writer is busy with a long write, a
 * caller waits, and the world goes on within that wait: a renewal that comes later goes first, as
 * in the line of the store. Other work that comes meanwhile is put off until the waiting caller is
 * done.
 */
final class WriterLine implements Transactions {
    private final HeldStore store;
    private final Consumer<Instant> passUntil;
    private final Runnable committed;
    private final Queue<Runnable> later = new ArrayDeque<>();
    private Instant busyUntil = Instant.MIN;
    private int waiting;
    private int inside;

    WriterLine(HeldStore store, Consumer<Instant> passUntil, Runnable committed) {
        this.store = store;
        this.passUntil = passUntil;
        this.committed = committed;
    }

    /** Occupies the writer, at least until then. */
    void beBusy(Instant until) {
        if (until.isAfter(busyUntil)) busyUntil = until;
    }

    /** True while the work of a write is under way. */
    boolean isWriting() {
        return inside > 0;
    }

    /** Does this now, or when the callers that wait at this moment are done. */
    void inTurn(Runnable work) {
        if (waiting > 0) later.add(work);
        else work.run();
    }

    /** Waits until the writer is free. */
    void await() {
        waiting++;
        try {
            passUntil.accept(busyUntil);
        } finally {
            waiting--;
        }
    }

    @Override
    public <T extends @Nullable Object> T write(Supplier<T> work) {
        if (isWriting()) return work.get();
        await();
        T answer = store.write(() -> within(work));
        committed.run();
        while (waiting == 0 && !later.isEmpty()) later.remove().run();
        return answer;
    }

    private <T extends @Nullable Object> T within(Supplier<T> work) {
        inside++;
        try {
            return work.get();
        } finally {
            inside--;
        }
    }

    @Override
    public boolean othersWait() {
        return store.othersWait();
    }

    @Override
    public <T extends @Nullable Object> T read(Supplier<T> work) {
        return store.read(work);
    }
}
