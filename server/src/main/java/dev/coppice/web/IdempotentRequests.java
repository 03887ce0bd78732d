package dev.coppice.web;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Receipts;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.Operation.Commit;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Makes a creating request safe to repeat. The answer is stored under the caller's Idempotency-Key
 * in the transaction that creates, and returned to the same request for a day at least. Refusals
 * are not stored: a refused request may be retried.
 *
 * <p>The key joins only the commit of a change. Its preparation, which may be slow, runs before,
 * and requests with the same key run it one after the other.
 */
public final class IdempotentRequests {
    private final Transactions transactions;
    private final Receipts receipts;
    private final InstantSource clock;
    private final Map<Name, Turn> turns = new ConcurrentHashMap<>();

    public IdempotentRequests(Transactions transactions, Receipts receipts, InstantSource clock) {
        this.transactions = transactions;
        this.receipts = receipts;
        this.clock = clock;
    }

    /** Prepares and commits a change, or repeats the answer to it. */
    public <O> Outcome<O> perform(
            Exchange exchange, Call<?, ?> call, Supplier<Outcome<Commit<O>>> preparation) {
        return perform(exchange, call, "", preparation);
    }

    /**
     * Commits one of the parts of a long change. Each part has a receipt of its own, so a repeated
     * request commits those that are missing.
     */
    public <O> Outcome<O> performPart(
            Exchange exchange, Call<?, ?> call, int part, Commit<O> commit) {
        // No header contains a line break, so no caller's key is that of a part.
        return perform(exchange, call, "\n" + part, () -> Outcome.done(commit));
    }

    private <O> Outcome<O> perform(
            Exchange exchange,
            Call<?, ?> call,
            String part,
            Supplier<Outcome<Commit<O>>> preparation) {
        var key = exchange.header("Idempotency-Key");
        if (key == null) return preparation.get().then(commit -> transactions.write(commit::now));
        return refusal(key)
                .<Outcome<O>>map(Outcome::refused)
                .orElseGet(() -> {
                    var name = new Name(exchange.caller().key(), key + part);
                    return new Keyed<O>(name, digest(exchange), call).perform(preparation);
                });
    }

    private static Optional<Refusal> refusal(String key) {
        if (key.length() <= Sizes.IDEMPOTENCY_KEY_CHARS_MAX) return Optional.empty();
        var rule = "at most %d characters".formatted(Sizes.IDEMPOTENCY_KEY_CHARS_MAX);
        return Optional.of(new RequestRefusal.BadValue("Idempotency-Key", key, rule));
    }

    /** A key of one caller. */
    private record Name(String caller, String key) {}

    /** The lock for requests with one key, and how many requests hold it or wait for it. */
    private static final class Turn {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;

        private static Turn used(@Nullable Turn turn) {
            var used = turn == null ? new Turn() : turn;
            used.users++;
            return used;
        }

        private @Nullable Turn left() {
            users--;
            return users == 0 ? null : this;
        }
    }

    /** A request with a key. */
    private final class Keyed<O> {
        private final Name name;
        private final String digest;
        private final Call<?, ?> call;

        private Keyed(Name name, String digest, Call<?, ?> call) {
            this.name = name;
            this.digest = digest;
            this.call = call;
        }

        private Outcome<O> perform(Supplier<Outcome<Commit<O>>> preparation) {
            var turn = turns.compute(name, (_, waited) -> Turn.used(waited));
            turn.lock.lock();
            try {
                return transactions
                        .read(this::earlier)
                        .orElseGet(() -> committed(preparation.get()));
            } finally {
                turn.lock.unlock();
                turns.compute(name, (_, held) -> held == null ? null : held.left());
            }
        }

        /** Looks for an answer again: another coordinator may have stored one since. */
        private Outcome<O> committed(Outcome<Commit<O>> prepared) {
            return switch (prepared) {
                case Outcome.Done<Commit<O>>(var commit) ->
                        transactions.write(() -> earlier().orElseGet(() -> first(commit)));
                case Outcome.Refused<Commit<O>>(var refusal) ->
                        transactions.read(this::earlier).orElseGet(() -> Outcome.refused(refusal));
            };
        }

        /** The stored answer, if there is one. */
        private Optional<Outcome<O>> earlier() {
            return receipts.find(name.caller(), name.key()).map(this::again);
        }

        /** Equal digests mean the same call, so the cast is safe. */
        @SuppressWarnings("unchecked")
        private Outcome<O> again(Receipts.Receipt receipt) {
            return receipt.digest().equals(digest)
                    ? Outcome.done((O) Json.as(receipt.body().value(), call.output()))
                    : Outcome.refused(new RequestRefusal.KeyUsedOtherwise(name.key()));
        }

        private Outcome<O> first(Commit<O> commit) {
            var outcome = commit.now();
            if (outcome instanceof Outcome.Done<O>(var answer)) {
                var body = new JsonText(Json.write(answer));
                int status = call.is(Call.Trait.CREATES) ? 201 : 200;
                receipts.add(
                        new Receipts.Receipt(
                                name.caller(), name.key(), digest, status, body, clock.instant()));
            }
            return outcome;
        }
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
