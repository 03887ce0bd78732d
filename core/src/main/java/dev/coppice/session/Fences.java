package dev.coppice.session;

import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;

import java.util.Optional;

/** Refuses new work at a session whose tree is being stopped or removed. */
public final class Fences {
    private Fences() {}

    public static Optional<Refusal> at(Sessions sessions, SessionId id) {
        for (var above : sessions.ancestry(id)) {
            var s = above.session();
            if (s.standing().removal() != null) {
                var by = s.standing().removal();
                return Optional.of(new RemovalRefusal.TreeIsBeingRemoved(s.id(), by));
            }
            if (s.standing().fenced() != null) {
                return Optional.of(new SessionRefusal.TreeIsStopping(s.id()));
            }
        }
        return Optional.empty();
    }
}
