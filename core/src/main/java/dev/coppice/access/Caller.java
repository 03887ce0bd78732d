package dev.coppice.access;

import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/**
 * The sender of a request. An agent acts for its session. A caller of another role may be confined
 * to a session and all below it; the hooks of a program, to the sessions that they reported first;
 * a runner that joined, to itself.
 */
public record Caller(
        Role role,
        @Nullable SessionId session,
        @Nullable TokenId token,
        @Nullable Sender sender,
        @Nullable Joined joined) {
    /** A runner that joined with an invitation; null until it has registered. */
    public record Joined(@Nullable RunnerId runner) {}

    /** A caller without a token: it may use only endpoints that need none. */
    public static final Caller NOBODY =
            new Caller(Role.VIEWER, null, new TokenId("nobody"), null, null);

    public static Caller as(Role role) {
        return new Caller(role, null, null, null, null);
    }

    public boolean isAgent() {
        return role == Role.AGENT;
    }

    /** These hooks, in a program that Coppice has started for a session. */
    public Caller inRun(SessionId run) {
        var hooks = sender == null ? null : new Sender(sender.source(), run);
        return new Caller(role, session, token, hooks, joined);
    }

    /**
     * True for an admin and an operator. A runner's token is no sign of a person: agents use it.
     */
    public boolean isPerson() {
        return role == Role.ADMIN || role == Role.OPERATOR;
    }

    /** The session for which an agent acts; null for every other caller. */
    public @Nullable SessionId self() {
        return isAgent() ? session : null;
    }

    public static Caller agent(SessionId session) {
        return new Caller(Role.AGENT, session, null, null, null);
    }

    /** True unless the caller is another runner, which joined. */
    public boolean mayActAs(RunnerId runner) {
        return joined == null || runner.equals(joined.runner());
    }

    /** A stable name of the caller, for data per caller and for the audit trail. */
    public String key() {
        if (token != null) return role.name() + ":" + token;
        return session == null ? role.name() : role.name() + ":" + session;
    }
}
