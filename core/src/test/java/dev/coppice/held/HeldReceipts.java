package dev.coppice.held;

import dev.coppice.kernel.Receipts;

import java.time.Instant;
import java.util.Optional;

/** Receipts in memory. */
public final class HeldReceipts implements Receipts {
    private final HeldStore store;

    HeldReceipts(HeldStore store) {
        this.store = store;
    }

    @Override
    public Optional<Receipt> find(String caller, String key) {
        return store.now().receipts.stream()
                .filter(r -> r.caller().equals(caller) && r.key().equals(key))
                .findFirst();
    }

    @Override
    public void add(Receipt receipt) {
        store.now().receipts.add(receipt);
    }

    @Override
    public int forgetUntil(Instant moment, int max) {
        var due =
                store.now().receipts.stream()
                        .filter(r -> !r.at().isAfter(moment))
                        .limit(max)
                        .toList();
        store.now().receipts.removeAll(due);
        return due.size();
    }
}
