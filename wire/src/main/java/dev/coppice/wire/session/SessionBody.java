package dev.coppice.wire.session;

import dev.coppice.wire.Field;

/** A session, as the original wraps it. */
public record SessionBody(@Field("the session") SessionView session) {
    /** A session after a change, with the flag that the original adds. */
    public record Done(
            @Field("always true") boolean ok, @Field("the session") SessionView session) {}
}
