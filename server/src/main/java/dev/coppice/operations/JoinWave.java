package dev.coppice.operations;

import dev.coppice.kernel.SessionId;
import dev.coppice.request.Context;
import dev.coppice.session.Session;
import dev.coppice.wave.Wave;
import dev.coppice.wave.WavePlan;
import dev.coppice.wave.Waves;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.List;

/** Puts sessions into the waves that their starts name. Joins the current transaction. */
public record JoinWave(Scope scope, Waves waves, InstantSource clock) {
    /** Rejects the id of a wave that the caller may not see. */
    void check(Context x, @Nullable String id) {
        if (id == null) return;
        if (!SessionId.isValid(id)) throw Given.bad("wave_id", id, SessionId.RULE);
        var known = waves.find(id);
        boolean isHidden = known.isEmpty() && waves.isTaken(id);
        if (isHidden || (known.isPresent() && !isVisible(x, known.get()))) {
            throw Given.bad("wave_id", id, "a wave that you may see, or a new id");
        }
    }

    /** Adds the session; a wave with a new id is declared by its first member. */
    void join(Session session, @Nullable String id) {
        if (id == null) return;
        if (waves.find(id).isEmpty()) {
            var parent = session.place().parentId();
            waves.add(new WavePlan(Wave.of(id, id, parent, clock.instant()), List.of()));
        }
        waves.join(session.id(), id, null);
    }

    /** A caller that is confined to a session sees the waves of it and of all below it. */
    public boolean isVisible(Context x, Wave wave) {
        if (x.session() == null) return true;
        var parent = wave.parent();
        return parent != null && scope.access().sees(x.caller(), parent);
    }
}
