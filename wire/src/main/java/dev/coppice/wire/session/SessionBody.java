package dev.coppice.wire.session;

import dev.coppice.wire.Field;

/** A session, wrapped as older clients expect it. */
public record SessionBody(@Field("the session") SessionView session) {
    /** A session after a change, with the flag that older clients read. */
    public record Done(
            @Field("always true") boolean ok, @Field("the session") SessionView session) {}
}
