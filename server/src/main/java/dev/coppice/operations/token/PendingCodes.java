package dev.coppice.operations.token;

import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.TokenId;
import dev.coppice.access.Tokens;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Transactions;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Codes that work once and for a while, so a code in a history is useless. They are in the memory
 * of this coordinator only. Under one token there are so many at most, counted with those of its
 * browsers; the oldest gives way, and never that of another token.
 *
 * @param <W> what a code is exchanged for
 */
public final class PendingCodes<W> {
    private static final int UNDER_ONE_MAX = 10;

    /** The stem of codes that were made with the token of the data directory. */
    private static final String OF_DATA = "";

    private final Tokens.Purpose purpose;
    private final Tokens signing;
    private final IssuedTokens issued;
    private final Transactions transactions;
    private final Ids ids;
    private final InstantSource clock;
    private final Map<String, Pending<W>> pending = new LinkedHashMap<>();

    public PendingCodes(
            Tokens.Purpose purpose,
            Tokens signing,
            IssuedTokens issued,
            Transactions transactions,
            Ids ids,
            InstantSource clock) {
        this.purpose = purpose;
        this.signing = signing;
        this.issued = issued;
        this.transactions = transactions;
        this.ids = ids;
        this.clock = clock;
    }

    /**
     * A code that was not used: the token that made it, the stem under which it is counted, what it
     * is exchanged for, and when it expires.
     */
    public record Pending<W>(@Nullable TokenId maker, String stem, W what, Instant until) {}

    /** Makes a code. */
    public String make(@Nullable TokenId maker, W what, Instant until) {
        var stem = transactions.read(() -> stem(line(maker, issued::find)));
        var id = ids.twelveHex();
        synchronized (pending) {
            pending.values().removeIf(p -> !clock.instant().isBefore(p.until()));
            var own =
                    pending.entrySet().stream()
                            .filter(e -> e.getValue().stem().equals(stem))
                            .map(Map.Entry::getKey)
                            .toList();
            if (own.size() >= UNDER_ONE_MAX) pending.remove(own.getFirst());
            pending.put(id, new Pending<>(maker, stem, what, until));
        }
        return signing.code(purpose, id);
    }

    /** Uses a code up; empty if it is not ours, was used, or has expired. */
    public Optional<Pending<W>> take(String code) {
        var id = signing.codeId(purpose, code);
        if (id.isEmpty()) return Optional.empty();
        synchronized (pending) {
            return Optional.ofNullable(pending.remove(id.get()))
                    .filter(p -> clock.instant().isBefore(p.until()));
        }
    }

    /** Makes a code good again that was used for nothing. */
    void giveBack(String code, Pending<W> what) {
        synchronized (pending) {
            signing.codeId(purpose, code).ifPresent(id -> pending.put(id, what));
        }
    }

    /** The nearest token that is not a browser's; codes and browsers are counted under it. */
    static String stem(List<IssuedToken> line) {
        return line.stream()
                .filter(token -> !token.isOfBrowser())
                .findFirst()
                .map(token -> token.id().value())
                .orElse(OF_DATA);
    }

    /** A token, and the tokens that it was made with, the nearest first. */
    static List<IssuedToken> line(
            @Nullable TokenId from, Function<TokenId, Optional<IssuedToken>> known) {
        var line = new ArrayList<IssuedToken>();
        var at = from;
        while (at != null) {
            var found = known.apply(at);
            found.ifPresent(line::add);
            at = found.map(IssuedToken::maker).orElse(null);
        }
        return line;
    }
}
