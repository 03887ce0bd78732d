package dev.coppice.removal;

import dev.coppice.session.Session;

import java.util.List;

/**
 * What a removal would take and what speaks against it. The digest stands for what was shown:
 * sessions, choices and objections, and never for counters or ages.
 */
public record RemovalPlan(
        Session top,
        Choices choices,
        Survey survey,
        List<Session> running,
        List<Critical> critical,
        List<Objection> objections,
        String digest) {
    public RemovalPlan {
        running = List.copyOf(running);
        critical = List.copyOf(critical);
        objections = List.copyOf(objections);
    }

    /** Something that must not be broken off. */
    public record Critical(String session, String what) {}
}
