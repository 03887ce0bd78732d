package dev.coppice.removal;

import dev.coppice.kernel.RemovalRefusal.Objection;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.session.Session;
import dev.coppice.work.InspectedWork;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The contents of a removal and the objections to it. The digest covers sessions, choices,
 * objections, earlier removals and unsaved work, but no counters or ages. Work in directories that
 * are in use is covered only if it is to be discarded, and no work is covered if a host could not
 * be inspected. Only directories that Coppice created are freed. Earlier removals below the top are
 * hidden already, and are purged along with it.
 */
public record RemovalPlan(
        Session top,
        Choices choices,
        Survey survey,
        List<Session> running,
        List<OutsideProcess> outside,
        List<Critical> critical,
        InspectedWork work,
        long freedBytes,
        InspectedWork.@Nullable Covered covered,
        List<Objection> objections,
        List<Removal> earlier,
        long sessions,
        int owed,
        String digest) {
    public RemovalPlan {
        running = List.copyOf(running);
        outside = List.copyOf(outside);
        critical = List.copyOf(critical);
        objections = List.copyOf(objections);
        earlier = List.copyOf(earlier);
    }

    /** True if unsaved work is discarded, or work on a host that could not be inspected. */
    public boolean discards() {
        return choices.discards() && (work.isUnsaved() || !work.unseenHosts().isEmpty());
    }

    /** An operation that must not be interrupted. */
    public record Critical(String session, String what) {}
}
