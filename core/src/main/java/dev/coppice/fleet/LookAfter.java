package dev.coppice.fleet;

import dev.coppice.kernel.SessionId;
import dev.coppice.session.Profile;
import dev.coppice.session.SessionJournal;
import dev.coppice.session.Sessions;
import dev.coppice.work.Workplace;
import dev.coppice.work.Workplaces;

/**
 * Has the runners of a host look after the directory of a session that another program runs: its
 * unsaved work is inspected and preserved when the session is removed. The directory is never
 * deleted.
 */
public final class LookAfter {
    private final Sessions sessions;
    private final Runners runners;
    private final Workplaces workplaces;
    private final SessionJournal journal;

    public LookAfter(
            Sessions sessions, Runners runners, Workplaces workplaces, SessionJournal journal) {
        this.sessions = sessions;
        this.runners = runners;
        this.workplaces = workplaces;
        this.journal = journal;
    }

    /** True if the host has a fenced runner: only those do directory tasks. */
    public boolean hasRunner(String host) {
        return runners.all().stream()
                .anyMatch(runner ->
                        runner.post().hostname().equals(host)
                                && runner.protocol() == Runner.Protocol.FENCED);
    }

    /**
     * Records the directory as a workplace of the session. Joins the current transaction. False if
     * the host has no such runner.
     */
    public boolean workplace(SessionId id, String host, String directory) {
        if (!hasRunner(host)) return false;
        workplaces.note(new Workplace(id, host, directory, Workplace.Made.BY_OTHERS, ""));
        return true;
    }

    /**
     * The same for an observed session, whose profile also gets the directory and host if it lacks
     * one.
     */
    public boolean directory(SessionId id, String host, String directory) {
        var found = sessions.find(id);
        if (found.isEmpty() || !workplace(id, host, directory)) return false;
        var session = found.get();
        var profile = session.profile();
        if (profile.projectDir() != null && profile.binding().hostname() != null) return true;
        var bound = profile.binding();
        var there = new Profile.Binding(bound.executorSessionId(), bound.executorProfile(), host);
        var after = session.with(profile.in(directory).boundTo(there));
        sessions.save(after);
        journal.updated(after);
        return true;
    }
}
