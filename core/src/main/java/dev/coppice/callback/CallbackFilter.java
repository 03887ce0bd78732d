package dev.coppice.callback;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** The callbacks that a list holds; an absent field does not narrow it. */
public record CallbackFilter(
        Set<String> states, @Nullable SessionId to, @Nullable SessionId within) {
    public static final CallbackFilter ALL = new CallbackFilter(Set.of(), null, null);

    public CallbackFilter {
        states = Set.copyOf(states);
    }
}
