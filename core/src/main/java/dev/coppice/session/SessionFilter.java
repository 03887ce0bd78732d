package dev.coppice.session;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Selects the sessions of a list; an absent criterion does not narrow it. */
public record SessionFilter(
        Set<String> states,
        @Nullable SessionType type,
        @Nullable String namePrefix,
        @Nullable SessionId parent,
        @Nullable SessionId within,
        boolean areOrphans) {
    public static final SessionFilter ALL = new SessionFilter(Set.of(), null, null, null, null);

    public SessionFilter(
            Set<String> states,
            @Nullable SessionType type,
            @Nullable String namePrefix,
            @Nullable SessionId parent,
            @Nullable SessionId within) {
        this(states, type, namePrefix, parent, within, false);
    }

    public SessionFilter {
        states = Set.copyOf(states);
    }

    /** Narrows the list to one subtree. */
    public SessionFilter within(SessionId top) {
        return new SessionFilter(states, type, namePrefix, parent, top, areOrphans);
    }

    /** Narrows the list to sessions whose parents have ended. */
    public SessionFilter orphans() {
        return new SessionFilter(states, type, namePrefix, parent, within, true);
    }
}
