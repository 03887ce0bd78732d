package dev.coppice.fleet;

import dev.coppice.kernel.SessionId;
import dev.coppice.session.Profile;
import dev.coppice.session.SessionJournal;
import dev.coppice.session.Sessions;
import dev.coppice.work.Workplace;
import dev.coppice.work.Workplaces;

/**
 * Has the runners of a host look after the directory of a session that another program runs: its
 * unsaved work is seen and preserved when the session is removed. Nobody deletes the directory.
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

    /** Joins the current transaction. False if no runner is on this host, or for other sessions. */
    public boolean directory(SessionId id, String host, String directory) {
        var found = sessions.find(id);
        boolean hasRunner =
                runners.all().stream().anyMatch(runner -> runner.post().hostname().equals(host));
        if (found.isEmpty() || !hasRunner) return false;
        var session = found.get();
        var profile = session.profile();
        workplaces.note(new Workplace(id, host, directory, Workplace.Made.BY_OTHERS, ""));
        if (profile.projectDir() != null && profile.binding().hostname() != null) return true;
        var bound = profile.binding();
        var there = new Profile.Binding(bound.executorSessionId(), bound.executorProfile(), host);
        var after = session.with(profile.in(directory).boundTo(there));
        sessions.save(after);
        journal.updated(after);
        return true;
    }
}
