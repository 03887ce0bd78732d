package dev.coppice.run;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Selects the runs of a list; an absent criterion does not narrow it. */
public record RunFilter(
        Set<String> states, @Nullable SessionId session, @Nullable SessionId within) {
    public static final RunFilter ALL = new RunFilter(Set.of(), null, null);

    public RunFilter {
        states = Set.copyOf(states);
    }

    /** Narrows the list to one subtree. */
    public RunFilter within(SessionId top) {
        return new RunFilter(states, session, top);
    }
}
