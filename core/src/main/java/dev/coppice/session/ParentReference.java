package dev.coppice.session;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** A caller's reference to a parent: by id, by name, or none. An id has precedence. */
public record ParentReference(@Nullable String id, @Nullable String name) {
    public static final ParentReference NONE = new ParentReference(null, null);

    public static ParentReference of(SessionId id) {
        return new ParentReference(id.value(), null);
    }

    public boolean isMade() {
        return id != null || name != null;
    }

    /** Returns the claimed session, if it exists. */
    public Optional<Session> in(Sessions sessions) {
        if (id == null) return name == null ? Optional.empty() : sessions.named(name);
        return SessionId.isValid(id) ? sessions.find(new SessionId(id)) : Optional.empty();
    }

    public String asSaid() {
        return id != null ? id : String.valueOf(name);
    }

    /** An explicit claim has precedence over one that was inherited from the environment. */
    public ParentReference orElse(ParentReference inherited) {
        return isMade() ? this : inherited;
    }
}
