package dev.coppice.wire.callback;

import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A join as callers see it. */
public record JoinView(
        @Field("the join") String joinId,
        @Field("the session that waits") String sessionId,
        @Field("all, any, some or first_success") String until,
        @Field("how many are awaited, for some") int count,
        @Field("the children that are awaited") List<Member> children,
        @Field("how many have ended") int ended,
        @Field("how many of those finished") int finished,
        @Field("when it times out") String deadline,
        @Field("open, met, unmet or timed_out") String outcome,
        @Field("when it was over") @Nullable String endedAt) {
    public JoinView {
        children = List.copyOf(children);
    }

    /** A child that is waited for, by the run that counts. */
    public record Member(
            @Field("the child") String sessionId, @Field("its run that counts") String runId) {}
}
