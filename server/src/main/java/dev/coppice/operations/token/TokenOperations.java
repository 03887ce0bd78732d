package dev.coppice.operations.token;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.access.TokenId;
import dev.coppice.access.Tokens;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.operation.Context;
import dev.coppice.operation.Operation;
import dev.coppice.operation.Operation.Commit;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.session.Session;
import dev.coppice.wire.Call;
import dev.coppice.wire.Shape;
import dev.coppice.wire.token.TokenCalls;
import dev.coppice.wire.token.TokenCalls.TokenRole;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Creates, lists and revokes tokens. */
public final class TokenOperations {
    private final Scope scope;
    private final IssuedTokens issued;
    private final Tokens signing;
    private final Ids ids;
    private final InstantSource clock;

    public TokenOperations(
            Scope scope, IssuedTokens issued, Tokens signing, Ids ids, InstantSource clock) {
        this.scope = scope;
        this.issued = issued;
        this.signing = signing;
        this.ids = ids;
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
        return Outcome.done(() -> {
            var below = scope.visible(x, "below", in.below());
            var now = clock.instant();
            issued.removeExpired(now);
            if (issued.all().size() >= Bounds.TOKENS_MAX) {
                return Outcome.refused(new RequestRefusal.TooManyTokens(Bounds.TOKENS_MAX));
            }
            var expires = in.expires();
            var until =
                    earlier(expires == null ? null : now.plus(expires.value()), endOf(x.caller()));
            var id = TokenId.made(ids);
            var token = new IssuedToken(id, role, below, in.label(), now, until, null);
            issued.add(token);
            return Outcome.done(new TokenCalls.Created(signing.issue(id), view(token)));
        });
    }

    /** A token cannot outlive the token that it was created with. */
    private @Nullable Instant endOf(Caller creator) {
        var token = creator.token();
        return token == null ? null : issued.find(token).map(IssuedToken::until).orElse(null);
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) return one == null ? other : one;
        return one.isBefore(other) ? one : other;
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
                issued.remove(new TokenId(in.tokenId()))
                        ? Outcome.done(new Call.Empty())
                        : Outcome.refused(new RequestRefusal.TokenUnknown(in.tokenId())));
    }

    private TokenCalls.TokenView view(IssuedToken token) {
        var below = token.below();
        var until = token.until();
        return new TokenCalls.TokenView(
                token.id().value(),
                Shape.word(token.role()),
                below == null ? null : below.value(),
                below == null ? null : name(below),
                token.label(),
                token.madeAt().toString(),
                until == null ? null : until.toString());
    }

    private @Nullable String name(SessionId below) {
        return scope.sessions().find(below).map(Session::name).orElse(null);
    }
}
