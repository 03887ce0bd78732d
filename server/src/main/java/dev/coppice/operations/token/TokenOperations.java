package dev.coppice.operations.token;

import dev.coppice.access.Access;
import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedToken.Origin;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.MakeToken;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.access.TokenId;
import dev.coppice.access.Tokens;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.operations.fleet.JoinedRunners;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.session.Session;
import dev.coppice.wire.Call;
import dev.coppice.wire.Shape;
import dev.coppice.wire.token.TokenCalls;
import dev.coppice.wire.token.TokenCalls.TokenRole;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.List;

/** Creates, lists and revokes tokens. */
public final class TokenOperations {
    private final Scope scope;
    private final IssuedTokens issued;
    private final Tokens signing;
    private final MakeToken making;
    private final JoinedRunners joined;
    private final InstantSource clock;

    public TokenOperations(
            Scope scope,
            IssuedTokens issued,
            Tokens signing,
            MakeToken making,
            JoinedRunners joined,
            InstantSource clock) {
        this.scope = scope;
        this.issued = issued;
        this.signing = signing;
        this.making = making;
        this.joined = joined;
        this.clock = clock;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.changing(
                        TokenCalls.CREATE, Need.DEFINE, scope.transactions(), this::create),
                Operation.of(TokenCalls.LIST, Need.DEFINE, (_, _) -> list()),
                Operation.changing(
                        TokenCalls.REVOKE,
                        Need.DEFINE,
                        scope.transactions(),
                        (_, in) -> revoke(in)));
    }

    private Outcome<Commit<TokenCalls.Created>> create(Context x, TokenCalls.Create in) {
        var role = Role.valueOf(in.role().name());
        // A caller cannot grant a right that it does not have.
        boolean isMore = in.role() == TokenRole.RUNNER && !Access.may(x.caller().role(), Need.RUN);
        if (isMore)
            return Outcome.refused(new RequestRefusal.NotAllowed("create a runner's token"));
        boolean isConfinable = in.role() == TokenRole.VIEWER || in.role() == TokenRole.INGEST;
        if (in.below() != null && !isConfinable) {
            throw Given.bad("below", in.below(), "omitted, unless the role is viewer or ingest");
        }
        if (in.source() != null && in.role() != TokenRole.INGEST) {
            throw Given.bad("source", in.source(), "omitted, unless the role is ingest");
        }
        return Outcome.done(() -> {
            var below = scope.visible(x, "below", in.below());
            var expires = in.expires();
            var until = expires == null ? null : clock.instant().plus(expires.value());
            var wanted =
                    new MakeToken.Wanted(
                            role, below, in.label(), until, Origin.CREATED, in.source());
            return making.make(wanted, x.caller().token())
                    .map(token -> new TokenCalls.Created(signing.issue(token.id()), view(token)));
        });
    }

    private Outcome<TokenCalls.Tokens> list() {
        return scope.transactions()
                .read(() ->
                        Outcome.done(
                                new TokenCalls.Tokens(
                                        issued.all().stream()
                                                .filter(t -> t.isValidAt(clock.instant()))
                                                .map(this::view)
                                                .toList())));
    }

    private Outcome<Commit<Call.Empty>> revoke(TokenCalls.At in) {
        return Outcome.done(() ->
                joined.revoke(new TokenId(in.tokenId()))
                        ? Outcome.done(new Call.Empty())
                        : Outcome.refused(new RequestRefusal.TokenUnknown(in.tokenId())));
    }

    private TokenCalls.TokenView view(IssuedToken token) {
        var below = token.below();
        var until = token.until();
        var maker = token.maker();
        return new TokenCalls.TokenView(
                token.id().value(),
                Shape.word(token.role()),
                below == null ? null : below.value(),
                below == null ? null : name(below),
                token.label(),
                token.madeAt().toString(),
                until == null ? null : until.toString(),
                maker == null ? null : maker.value(),
                token.source());
    }

    private @Nullable String name(SessionId below) {
        return scope.sessions().find(below).map(Session::name).orElse(null);
    }
}
