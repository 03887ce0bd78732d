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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Signs browsers in. The code of a link works once and for a few minutes, so a link in a shell's
 * history or a browser's history is useless. Codes are in the memory of this coordinator only. A
 * code is exchanged for an issued token, which can be revoked.
 */
public final class SignIns {
    private static final Duration LINK = Duration.ofMinutes(10);
    private static final Duration TOKEN = Duration.ofDays(7);

    /**
     * The limits of links and browsers under one token, including those of its browsers. The oldest
     * give way, and never those of another token.
     */
    private static final int LINKS_MAX = 10;

    private static final int BROWSERS_MAX = 20;
    private static final String LABEL = "browser";

    /** The stem of links that were made with the token of the data directory. */
    private static final String OF_DATA = "";

    private final Scope scope;
    private final IssuedTokens issued;
    private final Tokens signing;
    private final MakeToken making;
    private final Ids ids;
    private final InstantSource clock;
    private final String version;
    private final Map<String, Pending> pending = new LinkedHashMap<>();

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
        this.ids = ids;
        this.clock = clock;
        this.version = version;
    }

    /**
     * A link that was not used: the token that made it, the stem under which it is counted, the
     * rights that it gives, and the times at which the link and its token expire.
     */
    private record Pending(
            @Nullable TokenId maker,
            String stem,
            Role role,
            @Nullable SessionId below,
            Instant until,
            Instant tokenUntil) {}

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
        var maker = caller.token();
        var stem = scope.transactions().read(() -> stem(line(maker, issued::find)));
        var role = caller.role() == Role.ADMIN ? Role.OPERATOR : caller.role();
        var link =
                new Pending(maker, stem, role, caller.session(), now.plus(LINK), now.plus(TOKEN));
        var id = ids.twelveHex();
        synchronized (pending) {
            pending.values().removeIf(p -> !now.isBefore(p.until()));
            var own =
                    pending.entrySet().stream()
                            .filter(e -> e.getValue().stem().equals(stem))
                            .map(Map.Entry::getKey)
                            .toList();
            if (own.size() >= LINKS_MAX) pending.remove(own.getFirst());
            pending.put(id, link);
        }
        var code = signing.signInCode(id);
        return new Link("/#sign-in=" + code, code, link.until().toString());
    }

    /** The nearest token that is not a browser's; links and browsers are counted under it. */
    private static String stem(List<IssuedToken> line) {
        return line.stream()
                .filter(token -> !token.isOfBrowser())
                .findFirst()
                .map(token -> token.id().value())
                .orElse(OF_DATA);
    }

    /** A token, and the tokens that it was made with, the nearest first. */
    private static List<IssuedToken> line(
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

    private Optional<IssuedToken> record(Caller caller) {
        var id = caller.token();
        return id == null ? Optional.empty() : scope.transactions().read(() -> issued.find(id));
    }

    private Outcome<SignedIn> signIn(String code) {
        var found = signing.signInId(code).flatMap(this::take);
        if (found.isEmpty()) return Outcome.refused(new RequestRefusal.SignInUnknown());
        var link = found.get();
        return scope.transactions()
                .write(() -> {
                    issued.removeExpired(clock.instant());
                    var line = line(link.maker(), issued::find);
                    // The token that made the link may have been revoked since.
                    if (link.maker() != null && line.isEmpty()) {
                        return Outcome.refused(new RequestRefusal.SignInUnknown());
                    }
                    if (!makeRoom(link.stem(), line)) {
                        return Outcome.refused(new RequestRefusal.TooManyTokens(BROWSERS_MAX));
                    }
                    var wanted =
                            new MakeToken.Wanted(
                                    link.role(),
                                    link.below(),
                                    LABEL,
                                    link.tokenUntil(),
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
                        .filter(token -> stem.equals(stem(line(token.id(), of(all)))))
                        .toList();
        if (own.size() < BROWSERS_MAX) return true;
        var oldest = own.stream().filter(token -> !line.contains(token)).findFirst();
        return oldest.filter(token -> issued.remove(token.id())).isPresent();
    }

    private static Function<TokenId, Optional<IssuedToken>> of(Map<TokenId, IssuedToken> all) {
        return id -> Optional.ofNullable(all.get(id));
    }

    private Optional<Pending> take(String id) {
        synchronized (pending) {
            return Optional.ofNullable(pending.remove(id))
                    .filter(p -> clock.instant().isBefore(p.until()));
        }
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
