package dev.coppice.session;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/** What a caller asks of a session to be. */
public record NewSession(
        @Nullable SessionId id,
        @Nullable String name,
        @Nullable SessionType type,
        ParentClaim parent,
        Profile profile,
        Limits limits) {}
