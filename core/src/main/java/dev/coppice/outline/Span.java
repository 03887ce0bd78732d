package dev.coppice.outline;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/** The time in which a session worked: from its start to its end, and its runs. */
public record Span(
        SessionId id,
        String name,
        @Nullable SessionId parent,
        int depth,
        String kind,
        String state,
        Instant from,
        @Nullable Instant to,
        List<Work> runs) {
    public Span {
        runs = List.copyOf(runs);
    }

    /** A run that has started. */
    public record Work(String state, Instant from, @Nullable Instant to) {}

    /** The end of a child that woke its parent: from the child's end to the parent's run. */
    public record Wake(SessionId child, SessionId parent, Instant from, Instant to) {}
}
