package dev.coppice.web;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Receipts;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Sizes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * Makes a creating request safe to repeat. The answer is stored under the caller's Idempotency-Key
 * in the transaction that creates, and returned to the same request for a day. Refusals are not
 * stored: a refused request may be retried.
 */
public final class IdempotentRequests {
    private final Transactions transactions;
    private final Receipts receipts;
    private final InstantSource clock;

    public IdempotentRequests(Transactions transactions, Receipts receipts, InstantSource clock) {
        this.transactions = transactions;
        this.receipts = receipts;
        this.clock = clock;
    }

    public <O> Outcome<O> perform(
            Exchange exchange, Call<?, ?> call, Supplier<Outcome<O>> creation) {
        var key = exchange.header("Idempotency-Key");
        if (key == null) return creation.get();
        if (key.length() > Sizes.IDEMPOTENCY_KEY_CHARS_MAX) {
            var rule = "at most %d characters".formatted(Sizes.IDEMPOTENCY_KEY_CHARS_MAX);
            return Outcome.refused(new RequestRefusal.BadValue("Idempotency-Key", key, rule));
        }
        var digest = digest(exchange);
        var caller = exchange.caller().key();
        return transactions.write(() ->
                receipts.find(caller, key)
                        .filter(r ->
                                r.at().plus(Bounds.IDEMPOTENCY_RETENTION).isAfter(clock.instant()))
                        .map(receipt -> IdempotentRequests.<O>again(receipt, digest, call))
                        .orElseGet(() -> first(new Key(caller, key, digest), call, creation)));
    }

    private record Key(String caller, String key, String digest) {}

    /** Returns the stored answer. Equal digests mean the same call, so the cast is safe. */
    @SuppressWarnings("unchecked")
    private static <O> Outcome<O> again(Receipts.Receipt receipt, String digest, Call<?, ?> call) {
        return receipt.digest().equals(digest)
                ? Outcome.done((O) Json.as(receipt.body().value(), call.output()))
                : Outcome.refused(new RequestRefusal.KeyUsedOtherwise(receipt.key()));
    }

    private <O> Outcome<O> first(Key key, Call<?, ?> call, Supplier<Outcome<O>> creation) {
        var outcome = creation.get();
        if (outcome instanceof Outcome.Done<O>(var answer)) {
            var body = new JsonText(Json.write(answer));
            int status = call.is(Call.Trait.CREATES) ? 201 : 200;
            receipts.add(
                    new Receipts.Receipt(
                            key.caller(), key.key(), key.digest(), status, body, clock.instant()));
        }
        return outcome;
    }

    private static String digest(Exchange exchange) {
        try {
            var request = exchange.request();
            var parent = exchange.inheritedParent();
            var digest = MessageDigest.getInstance("SHA-256");
            var head = "%s %s %s\n".formatted(request.method(), request.path(), parent);
            digest.update(head.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of()
                    .formatHex(digest.digest(request.body().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
