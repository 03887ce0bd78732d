package dev.coppice.web;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Receipts;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.wire.Json;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * Makes a creating request safe to send again: the answer is kept in the transaction that creates,
 * under the caller's Idempotency-Key, and given again to the same request for a day. Refusals are
 * not kept: what was refused may be tried again.
 */
public final class Once {
    private final Transactions transactions;
    private final Receipts receipts;
    private final InstantSource clock;

    public Once(Transactions transactions, Receipts receipts, InstantSource clock) {
        this.transactions = transactions;
        this.receipts = receipts;
        this.clock = clock;
    }

    public Reply perform(Exchange exchange, Supplier<Reply> creation) {
        var key = exchange.header("Idempotency-Key");
        if (key == null) return creation.get();
        if (key.length() > Bounds.IDEMPOTENCY_KEY_CHARS_MAX) {
            var rule = "at most %d characters".formatted(Bounds.IDEMPOTENCY_KEY_CHARS_MAX);
            return Problems.reply(new RequestRefusal.BadValue("Idempotency-Key", key, rule));
        }
        var digest = digest(exchange);
        var caller = exchange.caller().key();
        return transactions.write(() ->
                receipts.find(caller, key)
                        .filter(r -> r.at().plus(Bounds.IDEMPOTENCY_KEPT).isAfter(clock.instant()))
                        .map(kept -> again(kept, digest))
                        .orElseGet(() -> first(caller, key, digest, creation)));
    }

    private static Reply again(Receipts.Receipt kept, String digest) {
        return kept.digest().equals(digest)
                ? new Reply.Text(kept.status(), "application/json", kept.body().value())
                : Problems.reply(new RequestRefusal.KeyUsedOtherwise(kept.key()));
    }

    private Reply first(String caller, String key, String digest, Supplier<Reply> creation) {
        var reply = creation.get();
        if (reply instanceof Reply.Body(var status, var value) && status < 300) {
            var body = new JsonText(Json.write(value));
            receipts.add(new Receipts.Receipt(caller, key, digest, status, body, clock.instant()));
        }
        return reply;
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
