package dev.coppice.access;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/** The sender of a request. An agent acts for one session, every other role for none. */
public record Caller(Role role, @Nullable SessionId session) {
    public static Caller as(Role role) {
        return new Caller(role, null);
    }

    public boolean isAgent() {
        return role == Role.AGENT;
    }

    public static Caller agent(SessionId session) {
        return new Caller(Role.AGENT, session);
    }

    /** A stable name of the caller, for data per caller and for the audit trail. */
    public String key() {
        return session == null ? role.name() : role.name() + ":" + session;
    }
}
