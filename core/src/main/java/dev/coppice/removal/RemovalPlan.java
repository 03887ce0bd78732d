package dev.coppice.removal;

import dev.coppice.session.Session;
import dev.coppice.work.WorkSeen;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What a removal would take and what speaks against it. The digest stands for what was shown:
 * sessions, choices, objections, earlier removals and unsaved work, and never for counters or ages.
 * Earlier removals below the top are hidden already, and go along when it is purged.
 */
public record RemovalPlan(
        Session top,
        Choices choices,
        Survey survey,
        List<Session> running,
        List<Critical> critical,
        WorkSeen work,
        List<Objection> objections,
        List<Removal> earlier,
        long sessions,
        String digest) {
    public RemovalPlan {
        running = List.copyOf(running);
        critical = List.copyOf(critical);
        objections = List.copyOf(objections);
        earlier = List.copyOf(earlier);
    }

    /** Whether something is thrown away that is saved nowhere else, or that nobody has seen. */
    public boolean discards() {
        return choices.keeping().work() == Choices.Work.DISCARD
                && (work.isUnsaved() || !work.unseenHosts().isEmpty());
    }

    /** What the digest says of unsaved work, and is held against what is found later. */
    @Nullable String workCovered() {
        return covers(choices, !running.isEmpty(), work) ? work.digest() : null;
    }

    /**
     * What still runs goes on changing its files until it is stopped, and all of it is kept; what
     * is to be thrown away must be exactly what was seen.
     */
    static boolean covers(Choices choices, boolean runs, WorkSeen work) {
        boolean discards = choices.keeping().work() == Choices.Work.DISCARD;
        return work.unseenHosts().isEmpty() && (discards || !runs);
    }

    /** Something that must not be broken off. */
    public record Critical(String session, String what) {}
}
