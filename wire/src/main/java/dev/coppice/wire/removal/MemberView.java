package dev.coppice.wire.removal;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

/** A session of a removal: its state when it was found, and its outcome. */
public record MemberView(
        @Field("to_be_removed, hidden, deleted, being_restored, restored or stays") String outcome,
        @Field("true if the removal stopped it") boolean wasStopped,
        @Field("true if it could not be stopped and was given up") boolean wasGivenUp,
        @Field(Descriptions.SESSION) String sessionId,
        @Field(Descriptions.NAME) String sessionName,
        @Field("its parent") @Nullable String parentSessionId,
        @Field("its state when the removal found it") String state,
        @Field("the number of its runs") long runs) {}
