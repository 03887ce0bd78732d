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
        Limits limits,
        Standing.@Nullable OnParentEnd onParentEnd) {
    public NewSession(
            @Nullable SessionId id,
            @Nullable String name,
            @Nullable SessionType type,
            ParentClaim parent,
            Profile profile,
            Limits limits) {
        this(id, name, type, parent, profile, limits, null);
    }

    /** With what holds when its maker chose nothing. */
    public NewSession unlessChosen(Standing.OnParentEnd absent) {
        return onParentEnd != null
                ? this
                : new NewSession(id, name, type, parent, profile, limits, absent);
    }
}
