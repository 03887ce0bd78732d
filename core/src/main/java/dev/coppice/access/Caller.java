package dev.coppice.access;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/** Who is asking. An agent speaks for one session; everyone else for none. */
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

    /** A name for what is kept per caller. */
    public String key() {
        return session == null ? role.name() : role.name() + ":" + session;
    }
}
