package dev.coppice.wire;

/** A session on its own, as the original wraps it. */
public record SessionBody(SessionView session) {
    /** After a change: the original says that it is done, too. */
    public record Done(boolean ok, SessionView session) {}
}
