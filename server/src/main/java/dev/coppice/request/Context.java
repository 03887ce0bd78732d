package dev.coppice.request;

import dev.coppice.access.Caller;
import dev.coppice.audit.Act;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.ParentReference;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

/** The caller of an operation, the parent that its environment names, and the words of its face. */
public record Context(Caller caller, ParentReference inherited, Wording wording) {
    /** The session to which the caller is confined; null if it is not. */
    public @Nullable SessionId session() {
        return caller.session();
    }

    /** The caller as the audit names it: an agent by its session, others by their role. */
    public Act.Who who() {
        return new Act.Who(caller.key(), Shape.word(caller.role()));
    }
}
