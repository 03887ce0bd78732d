package dev.coppice.session;

import dev.coppice.kernel.SessionId;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Selects the sessions of a list; an absent criterion does not narrow it. */
public record SessionFilter(
        Set<String> states,
        @Nullable SessionType type,
        @Nullable String namePrefix,
        @Nullable SessionId parent,
        @Nullable SessionId within,
        boolean areOrphans,
        @Nullable String nameText) {
    public static final SessionFilter ALL = new SessionFilter(Set.of(), null, null, null, null);

    public SessionFilter(
            Set<String> states,
            @Nullable SessionType type,
            @Nullable String namePrefix,
            @Nullable SessionId parent,
            @Nullable SessionId within) {
        this(states, type, namePrefix, parent, within, false, null);
    }

    public SessionFilter {
        states = Set.copyOf(states);
    }

    /** Narrows the list to one subtree. */
    public SessionFilter within(SessionId top) {
        return new SessionFilter(states, type, namePrefix, parent, top, areOrphans, nameText);
    }

    /** Narrows the list to sessions whose parents have ended. */
    public SessionFilter orphans() {
        return new SessionFilter(states, type, namePrefix, parent, within, true, nameText);
    }

    /** Narrows the list to names with this text, in any case. */
    public SessionFilter named(@Nullable String text) {
        return new SessionFilter(states, type, namePrefix, parent, within, areOrphans, text);
    }
}
