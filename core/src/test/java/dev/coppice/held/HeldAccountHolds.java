package dev.coppice.held;

import dev.coppice.fleet.AccountHold;
import dev.coppice.fleet.AccountHolds;

import java.util.List;
import java.util.Optional;

/** Accounts on hold because their limits were reached, in memory. */
public final class HeldAccountHolds implements AccountHolds {
    private final HeldStore store;

    HeldAccountHolds(HeldStore store) {
        this.store = store;
    }

    @Override
    public Optional<AccountHold> find(String account) {
        return Optional.ofNullable(store.now().holds.get(account));
    }

    @Override
    public void save(AccountHold hold) {
        store.now().holds.put(hold.account(), hold);
    }

    @Override
    public void remove(String account) {
        store.now().holds.remove(account);
    }

    @Override
    public List<AccountHold> all() {
        return List.copyOf(store.now().holds.values());
    }
}
