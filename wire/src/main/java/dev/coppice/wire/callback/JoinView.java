package dev.coppice.wire.callback;

import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A join as callers see it. */
public record JoinView(
        @Field("the join") String joinId,
        @Field("the session that waits") String sessionId,
        @Field("all, any, some or first_success") String until,
        @Field("the number awaited, if until is some") int count,
        @Field("the children that are awaited") List<Member> children,
        @Field("the number that has ended") int ended,
        @Field("the number of those that finished") int finished,
        @Field("when it times out") String deadline,
        @Field("open, met, unmet or timed_out") String outcome,
        @Field("when it ended") @Nullable String endedAt) {
    public JoinView {
        children = List.copyOf(children);
    }

    /** An awaited child, with the run whose end counts. */
    public record Member(
            @Field("the child") String sessionId,
            @Field("its run whose end counts") String runId) {}
}
