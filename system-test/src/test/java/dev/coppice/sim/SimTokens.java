package dev.coppice.sim;

import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.TokenId;
import dev.coppice.kernel.RunnerId;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The issued tokens, which no removal takes along: a caller whose session is gone sees nothing. */
final class SimTokens implements IssuedTokens {
    private final Map<TokenId, IssuedToken> tokens = new LinkedHashMap<>();

    @Override
    public void add(IssuedToken token) {
        tokens.put(token.id(), token);
    }

    @Override
    public Optional<IssuedToken> find(TokenId id) {
        return Optional.ofNullable(tokens.get(id));
    }

    @Override
    public List<IssuedToken> all() {
        return List.copyOf(tokens.values());
    }

    @Override
    public boolean remove(TokenId id) {
        return tokens.remove(id) != null;
    }

    @Override
    public void removeExpired(Instant now) {
        tokens.values().removeIf(token -> !token.isValidAt(now));
    }

    @Override
    public void bind(TokenId id, RunnerId runner) {
        tokens.computeIfPresent(id, (_, token) -> token.of(runner));
    }
}
