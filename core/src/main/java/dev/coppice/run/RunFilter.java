package dev.coppice.run;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Which runs a list shall hold; what is absent does not narrow it. */
public record RunFilter(
        Set<String> states, @Nullable SessionId session, @Nullable SessionId within) {
    public static final RunFilter ALL = new RunFilter(Set.of(), null, null);

    public RunFilter {
        states = Set.copyOf(states);
    }

    /** The same list, for someone who sees only one subtree. */
    public RunFilter within(SessionId top) {
        return new RunFilter(states, session, top);
    }
}
