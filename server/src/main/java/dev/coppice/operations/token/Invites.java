package dev.coppice.operations.token;

import dev.coppice.access.Access;
import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedToken.Origin;
import dev.coppice.access.MakeToken;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.access.Tokens;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.operations.Given;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.wire.fleet.InviteCalls;
import dev.coppice.wire.fleet.InviteCalls.Invited;
import dev.coppice.wire.fleet.InviteCalls.Joined;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** Invites runners on other machines, and lets each of them join once. */
public record Invites(
        PendingCodes<Offer> codes,
        Transactions transactions,
        Tokens signing,
        MakeToken making,
        Supplier<Address> address,
        InstantSource clock) {
    private static final Duration VALID = Duration.ofHours(1);
    private static final Duration VALID_MAX = Duration.ofDays(7);

    /** The tags that the runner is to offer. */
    public record Offer(List<String> tags) {}

    /** The address for other machines, and the fingerprint that proves the right coordinator. */
    public record Address(@Nullable String url, @Nullable String fingerprint) {}

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.changingOutside(
                        InviteCalls.INVITE, Need.DEFINE, transactions, this::invite),
                Operation.of(InviteCalls.JOIN, Need.NOTHING, (_, in) -> join(in)));
    }

    private Outcome<Invited> invite(Context x, InviteCalls.Invite in) {
        // A caller cannot grant a right that it does not have.
        if (!Access.may(x.caller().role(), Need.RUN)) {
            return Outcome.refused(new RequestRefusal.NotAllowed("invite a runner"));
        }
        var expires = in.expires();
        var valid = expires == null ? VALID : expires.value();
        if (valid.compareTo(VALID_MAX) > 0)
            throw Given.bad("expires", valid.toSeconds() + "s", "at most 7d");
        var until = clock.instant().plus(valid);
        var tags = in.tags() == null ? List.<String>of() : in.tags();
        var code = codes.make(x.caller().token(), new Offer(tags), until);
        var now = address.get();
        return Outcome.done(new Invited(code, until.toString(), now.url(), now.fingerprint()));
    }

    private Outcome<Joined> join(InviteCalls.Join in) {
        var found = codes.take(in.code());
        if (found.isEmpty()) return Outcome.refused(new RequestRefusal.InviteUnknown());
        var invitation = found.get();
        var wanted =
                new MakeToken.Wanted(
                        Role.RUNNER, null, "runner on " + in.hostname(), null, Origin.JOINED, null);
        Outcome<IssuedToken> made;
        try {
            made = transactions.write(() -> making.make(wanted, invitation.maker()));
        } catch (RuntimeException e) {
            codes.giveBack(in.code(), invitation);
            throw e;
        }
        // The token that invited was revoked since.
        if (made instanceof Outcome.Refused<?>(RequestRefusal.TokenUnknown _)) {
            return Outcome.refused(new RequestRefusal.InviteUnknown());
        }
        if (made instanceof Outcome.Refused<?>) codes.giveBack(in.code(), invitation);
        var tags = invitation.what().tags();
        return made.map(token -> new Joined(signing.issue(token.id()), token.id().value(), tags));
    }
}
