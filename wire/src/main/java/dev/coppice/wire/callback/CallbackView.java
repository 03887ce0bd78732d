package dev.coppice.wire.callback;

import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

/** A callback as callers see it. */
public record CallbackView(
        @Field(value = "the callback", example = "cb_0123456789ab") String callbackId,
        @Field("the session it wakes") String sessionId,
        @Field("child_end, join_over or message") String about,
        @Field("the child that ended") @Nullable String childSessionId,
        @Field("the run of the child that ended") @Nullable String childRunId,
        @Field("the join that is over") @Nullable String joinId,
        @Field("the message") @Nullable String message,
        @Field("the session that sent the message") @Nullable String fromSessionId,
        @Field(
                        "how the message reaches a session that works: reject, queue, interrupt or"
                                + " steer")
                @Nullable String whenBusy,
        @Field("owed, held, carried, delivered, joined or dead") String state,
        @Field("when it entered this state") String since,
        @Field("when delivery is tried next") @Nullable String due,
        @Field("the run that carries it") @Nullable String carrier,
        @Field("why it is in this state") @Nullable String reason,
        @Field("the number of tries") int tries,
        @Field("when it was created") String createdAt) {}
