package dev.coppice.access;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/**
 * The sender of a request. An agent acts for its session. A caller of another role may be confined
 * to a session and all below it.
 */
public record Caller(Role role, @Nullable SessionId session, @Nullable TokenId token) {
    public static Caller as(Role role) {
        return new Caller(role, null, null);
    }

    public boolean isAgent() {
        return role == Role.AGENT;
    }

    /** The caller with an issued token; confined to the session if one is given. */
    static Caller with(TokenId token, Role role, @Nullable SessionId below) {
        return new Caller(role, below, token);
    }

    /** The session for which an agent acts; null for every other caller. */
    public @Nullable SessionId self() {
        return isAgent() ? session : null;
    }

    public static Caller agent(SessionId session) {
        return new Caller(Role.AGENT, session, null);
    }

    /** A stable name of the caller, for data per caller and for the audit trail. */
    public String key() {
        if (token != null) return role.name() + ":" + token;
        return session == null ? role.name() : role.name() + ":" + session;
    }
}
