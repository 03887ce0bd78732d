package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A join as callers see it. */
public record JoinView(
        String joinId,
        String sessionId,
        String until,
        int count,
        List<Member> children,
        int ended,
        int finished,
        String deadline,
        String outcome,
        @Nullable String endedAt) {
    public JoinView {
        children = List.copyOf(children);
    }

    /** A child that is waited for, by the run that counts. */
    public record Member(String sessionId, String runId) {}
}
