package dev.coppice.cli.hosts;

import dev.coppice.cli.engine.Connection;
import dev.coppice.client.Refused;
import dev.coppice.wire.Code;
import dev.coppice.wire.fleet.InviteCalls;
import dev.coppice.wire.token.TokenCalls;

/** The token of the runner on a host. */
final class HostToken {
    private HostToken() {}

    /** Makes one, which no other runner can use. */
    static InviteCalls.Joined make(SshHost host, Connection connection) {
        var invite = new InviteCalls.Invite(host.tags(), null);
        var code = connection.call(InviteCalls.INVITE, invite).code();
        var join = new InviteCalls.Join(code, SshAddress.of(host.address()).host());
        return connection.call(InviteCalls.JOIN, join);
    }

    /** Ends a token and the runner that has it. */
    static void revoke(String tokenId, Connection connection) {
        try {
            connection.call(TokenCalls.REVOKE, new TokenCalls.At(tokenId));
        } catch (Refused e) {
            if (!e.problem().code().equals(Code.TOKEN_UNKNOWN.word())) throw e;
        }
    }
}
