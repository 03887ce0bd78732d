package dev.coppice.operations.fleet;

import dev.coppice.access.Caller;
import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.TokenId;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunnerId;

import java.util.List;

/**
 * The runners that joined, each with a token of its own. The two end together. Every method joins
 * the current transaction.
 */
public record JoinedRunners(IssuedTokens issued, Runners runners, RegisterRunner register) {
    /** Confines a token to the runner that registers with it first; refuses any other one. */
    Outcome<RunnerId> bound(Caller caller, RunnerId runner) {
        var token = caller.token();
        if (caller.joined() == null || token == null) return Outcome.done(runner);
        var found = issued.find(token);
        if (found.isEmpty()) {
            return Outcome.refused(new RequestRefusal.TokenUnknown(token.value()));
        }
        var before = found.get().runner();
        if (before == null && runners.find(runner).isPresent()) {
            return Outcome.refused(
                    new RequestRefusal.NotAllowed(
                            ("register as '%s': a runner of the same host and directory is"
                                            + " registered; revoke it, or join from another"
                                            + " directory")
                                    .formatted(runner.value())));
        }
        if (before == null) issued.bind(token, runner);
        return before == null || before.equals(runner)
                ? Outcome.done(runner)
                : Outcome.refused(
                        new RequestRefusal.NotAllowed(
                                ("register another runner than '%s', which joined with this token:"
                                                + " its host, directory or profile has changed")
                                        .formatted(before.value())));
    }

    /** Revokes the token with which a runner joined; false if it has none. */
    boolean revoke(RunnerId runner) {
        var all = joined().stream().filter(token -> runner.equals(token.runner())).toList();
        all.forEach(token -> issued.remove(token.id()));
        return !all.isEmpty();
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
