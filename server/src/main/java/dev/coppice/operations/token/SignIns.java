package dev.coppice.operations.token;

import dev.coppice.access.Caller;
import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedToken.Origin;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.MakeToken;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.access.TokenId;
import dev.coppice.access.Tokens;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.operations.Scope;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.session.Session;
import dev.coppice.wire.Call;
import dev.coppice.wire.Shape;
import dev.coppice.wire.token.SignInCalls;
import dev.coppice.wire.token.SignInCalls.CallerView;
import dev.coppice.wire.token.SignInCalls.Link;
import dev.coppice.wire.token.SignInCalls.SignedIn;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Signs browsers in. The code of a link works once and for a few minutes, so a link in a shell's
 * history or a browser's history is useless. A code is exchanged for an issued token, which can be
 * revoked.
 */
public final class SignIns {
    private static final Duration LINK = Duration.ofMinutes(10);
    private static final Duration TOKEN = Duration.ofDays(7);

    /** The limit of browsers under one token. The oldest gives way, never that of another token. */
    private static final int BROWSERS_MAX = 20;

    private static final String LABEL = "browser";

    private final Scope scope;
    private final IssuedTokens issued;
    private final Tokens signing;
    private final MakeToken making;
    private final InstantSource clock;
    private final String version;
    private final PendingCodes<Rights> codes;

    public SignIns(
            Scope scope,
            IssuedTokens issued,
            Tokens signing,
            MakeToken making,
            Ids ids,
            InstantSource clock,
            String version) {
        this.scope = scope;
        this.issued = issued;
        this.signing = signing;
        this.making = making;
        this.clock = clock;
        this.version = version;
        this.codes =
                new PendingCodes<>(
                        Tokens.Purpose.SIGN_IN, signing, issued, scope.transactions(), ids, clock);
    }

    /** The rights that a link gives, and the time at which its token expires. */
    private record Rights(Role role, @Nullable SessionId below, Instant tokenUntil) {}

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.changingOutside(
                        SignInCalls.CREATE_LINK,
                        Need.SIGN_IN,
                        scope.transactions(),
                        (x, _) -> Outcome.done(link(x.caller()))),
                Operation.of(SignInCalls.SIGN_IN, Need.NOTHING, (_, in) -> signIn(in.code())),
                Operation.of(SignInCalls.SIGN_OUT, Need.SIGN_IN, (x, _) -> signOut(x)),
                Operation.of(
                        SignInCalls.CALLER, Need.READ, (x, _) -> Outcome.done(read(x.caller()))));
    }

    /** Creates a link with the rights of the caller, and for an admin with those of an operator. */
    public Link link(Caller caller) {
        var now = clock.instant();
        var role = caller.role() == Role.ADMIN ? Role.OPERATOR : caller.role();
        var rights = new Rights(role, caller.session(), now.plus(TOKEN));
        var until = now.plus(LINK);
        var code = codes.make(caller.token(), rights, until);
        return new Link("/#sign-in=" + code, code, until.toString());
    }

    private Optional<IssuedToken> record(Caller caller) {
        var id = caller.token();
        return id == null ? Optional.empty() : scope.transactions().read(() -> issued.find(id));
    }

    private Outcome<SignedIn> signIn(String code) {
        var found = codes.take(code);
        if (found.isEmpty()) return Outcome.refused(new RequestRefusal.SignInUnknown());
        var link = found.get();
        return scope.transactions()
                .write(() -> {
                    issued.removeExpired(clock.instant());
                    var line = PendingCodes.line(link.maker(), issued::find);
                    // The token that made the link may have been revoked since.
                    if (link.maker() != null && line.isEmpty()) {
                        return Outcome.refused(new RequestRefusal.SignInUnknown());
                    }
                    if (!makeRoom(link.stem(), line)) {
                        return Outcome.refused(new RequestRefusal.TooManyTokens(BROWSERS_MAX));
                    }
                    var wanted =
                            new MakeToken.Wanted(
                                    link.what().role(),
                                    link.what().below(),
                                    LABEL,
                                    link.what().tokenUntil(),
                                    Origin.SIGNED_IN,
                                    null);
                    return making.make(wanted, link.maker())
                            .map(token ->
                                    new SignedIn(
                                            signing.issue(token.id()),
                                            view(token.caller(), token)));
                });
    }

    /**
     * Removes the oldest browser if there are too many; false if the new one was made with all of
     * them, because it would end with any of them.
     */
    private boolean makeRoom(String stem, List<IssuedToken> line) {
        var all = new LinkedHashMap<TokenId, IssuedToken>();
        for (var token : issued.all()) all.put(token.id(), token);
        var own =
                all.values().stream()
                        .filter(IssuedToken::isOfBrowser)
                        .filter(token ->
                                stem.equals(
                                        PendingCodes.stem(PendingCodes.line(token.id(), of(all)))))
                        .toList();
        if (own.size() < BROWSERS_MAX) return true;
        var oldest = own.stream().filter(token -> !line.contains(token)).findFirst();
        return oldest.filter(token -> issued.remove(token.id())).isPresent();
    }

    private static Function<TokenId, Optional<IssuedToken>> of(Map<TokenId, IssuedToken> all) {
        return id -> Optional.ofNullable(all.get(id));
    }

    /** Revokes the caller's token if it is a browser's; other tokens stay. */
    private Outcome<Call.Empty> signOut(Context x) {
        record(x.caller())
                .filter(IssuedToken::isOfBrowser)
                .ifPresent(token -> scope.transactions().write(() -> issued.remove(token.id())));
        return Outcome.done(new Call.Empty());
    }

    private CallerView read(Caller caller) {
        return scope.transactions()
                .read(() -> {
                    var token = caller.token();
                    var record = token == null ? null : issued.find(token).orElse(null);
                    return view(caller, record);
                });
    }

    private CallerView view(Caller caller, @Nullable IssuedToken token) {
        var below = caller.session();
        var until = token == null ? null : token.until();
        return new CallerView(
                Shape.word(caller.role()),
                below == null ? null : below.value(),
                below == null ? null : name(below),
                until == null ? null : until.toString(),
                version);
    }

    private @Nullable String name(SessionId id) {
        return scope.sessions().find(id).map(Session::name).orElse(null);
    }
}
