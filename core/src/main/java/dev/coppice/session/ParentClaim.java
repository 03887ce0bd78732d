package dev.coppice.session;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** How a caller names a parent: by id, by name, or not at all. Ids win over names. */
public record ParentClaim(@Nullable String id, @Nullable String name) {
    public static final ParentClaim NONE = new ParentClaim(null, null);

    public static ParentClaim of(SessionId id) {
        return new ParentClaim(id.value(), null);
    }

    public boolean isMade() {
        return id != null || name != null;
    }

    /** The session that is claimed, if it is there; an id wins over a name. */
    public Optional<Session> in(Sessions sessions) {
        if (id == null) return name == null ? Optional.empty() : sessions.named(name);
        return SessionId.isShapely(id) ? sessions.find(new SessionId(id)) : Optional.empty();
    }

    public String asSaid() {
        return id != null ? id : String.valueOf(name);
    }

    /** What was said outright beats what was inherited from the environment. */
    public ParentClaim orElse(ParentClaim inherited) {
        return isMade() ? this : inherited;
    }
}
