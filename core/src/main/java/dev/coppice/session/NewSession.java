package dev.coppice.session;

import dev.coppice.kernel.SessionId;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

/** A request for a new session. */
public record NewSession(
        @Nullable SessionId id,
        @Nullable String name,
        @Nullable SessionType type,
        ParentReference parent,
        Profile profile,
        Limits limits,
        @Nullable OnParentEnd onParentEnd) {
    public NewSession(
            @Nullable SessionId id,
            @Nullable String name,
            @Nullable SessionType type,
            ParentReference parent,
            Profile profile,
            Limits limits) {
        this(id, name, type, parent, profile, limits, null);
    }

    /** Returns the request with this policy, unless the caller chose one. */
    public NewSession unlessChosen(OnParentEnd absent) {
        return onParentEnd != null
                ? this
                : new NewSession(id, name, type, parent, profile, limits, absent);
    }
}
