package dev.coppice.fleet;

import java.util.List;
import java.util.Optional;

/** Every account that has met its limit. All of it acts within the transaction under way. */
public interface AccountHolds {
    Optional<AccountHold> find(String account);

    void save(AccountHold hold);

    void remove(String account);

    List<AccountHold> all();
}
