package dev.coppice.kernel;

import java.time.Instant;
import java.util.Optional;

/** The answers to requests with an Idempotency-Key, kept for a day. */
public interface Receipts {
    Optional<Receipt> find(String caller, String key);

    void add(Receipt receipt);

    int forgetUntil(Instant moment, int max);

    /** {@code digest} distinguishes a repeated request from another one with the same key. */
    record Receipt(
            String caller, String key, String digest, int status, JsonText body, Instant at) {}
}
