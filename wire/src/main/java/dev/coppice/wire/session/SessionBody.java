package dev.coppice.wire.session;

import dev.coppice.wire.Field;

/** A session on its own, as the original wraps it. */
public record SessionBody(@Field("the session") SessionView session) {
    /** After a change: the original says that it is done, too. */
    public record Done(
            @Field("always true") boolean ok, @Field("the session") SessionView session) {}
}
