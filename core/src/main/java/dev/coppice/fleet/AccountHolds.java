package dev.coppice.fleet;

import java.util.List;
import java.util.Optional;

/** The holds on accounts. Every method joins the current transaction. */
public interface AccountHolds {
    Optional<AccountHold> find(String account);

    void save(AccountHold hold);

    void remove(String account);

    List<AccountHold> all();
}
