package dev.coppice.operations.fleet;

import dev.coppice.access.Caller;
import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.TokenId;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunnerId;

import java.util.List;

/**
 * The runners that joined, each with a token of its own. The two end together. Every method joins
 * the current transaction.
 */
public record JoinedRunners(IssuedTokens issued, RegisterRunner register) {
    /** Confines a token to the runner that registers with it first; refuses any other one. */
    Outcome<RunnerId> bound(Caller caller, RunnerId runner) {
        var token = caller.token();
        if (caller.joined() == null || token == null) return Outcome.done(runner);
        var found = issued.find(token);
        if (found.isEmpty()) {
            return Outcome.refused(new RequestRefusal.TokenUnknown(token.value()));
        }
        var before = found.get().runner();
        if (before == null) issued.bind(token, runner);
        return before == null || before.equals(runner)
                ? Outcome.done(runner)
                : Outcome.refused(
                        new RequestRefusal.NotAllowed(
                                "register another runner than '%s', which joined with this token"
                                        .formatted(before.value())));
    }

    /** Revokes the token with which a runner joined. */
    void revoke(RunnerId runner) {
        joined().stream()
                .filter(token -> runner.equals(token.runner()))
                .forEach(token -> issued.remove(token.id()));
    }

    /** Revokes a token and ends the runners that joined with it; false if there is none. */
    public boolean revoke(TokenId token) {
        var before = joined();
        if (!issued.remove(token)) return false;
        for (var each : before) {
            var runner = each.runner();
            boolean isGone = issued.find(each.id()).isEmpty();
            if (isGone && runner != null) register.deregister(runner);
        }
        return true;
    }

    private List<IssuedToken> joined() {
        return issued.all().stream().filter(token -> token.runner() != null).toList();
    }
}
