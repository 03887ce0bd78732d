package dev.coppice.kernel;

import java.time.Instant;
import java.util.Optional;

/** What was answered to requests that carried an Idempotency-Key, kept for a day. */
public interface Receipts {
    Optional<Receipt> find(String caller, String key);

    void add(Receipt receipt);

    int forgetUntil(Instant moment, int max);

    /** {@code digest} tells whether the same request came again, or another with the same key. */
    record Receipt(
            String caller, String key, String digest, int status, JsonText body, Instant at) {}
}
