package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The body of POST /sessions/{id}/joins. Children by name or id. */
public record JoinRequest(
        @Nullable List<String> children,
        @Nullable String until,
        @Nullable Integer count,
        @Nullable String timeout) {
    public JoinRequest {
        children = children == null ? null : List.copyOf(children);
    }
}
