package dev.coppice.removal;

import dev.coppice.kernel.RemovalRefusal.Objection;
import dev.coppice.session.Session;
import dev.coppice.work.InspectedWork;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What a removal would take and what speaks against it. The digest stands for what was shown:
 * sessions, choices, objections, earlier removals and unsaved work, and never for counters or ages.
 * Of the work it covers what nobody can be changing just then, unless not all could be seen.
 * Earlier removals below the top are hidden already, and go along when it is purged.
 */
public record RemovalPlan(
        Session top,
        Choices choices,
        Survey survey,
        List<Session> running,
        List<Critical> critical,
        InspectedWork work,
        InspectedWork.@Nullable Covered covered,
        List<Objection> objections,
        List<Removal> earlier,
        long sessions,
        int owed,
        String digest) {
    public RemovalPlan {
        running = List.copyOf(running);
        critical = List.copyOf(critical);
        objections = List.copyOf(objections);
        earlier = List.copyOf(earlier);
    }

    /** Whether something is thrown away that is saved nowhere else, or that nobody has seen. */
    public boolean discards() {
        return choices.discards() && (work.isUnsaved() || !work.unseenHosts().isEmpty());
    }

    /** Something that must not be broken off. */
    public record Critical(String session, String what) {}
}
