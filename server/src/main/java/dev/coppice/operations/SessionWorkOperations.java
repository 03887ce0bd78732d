package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.run.Runs;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.SessionEvent;
import dev.coppice.session.SessionJournal;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;
import dev.coppice.session.TreeQuota;
import dev.coppice.stop.StopSession;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.wire.Shape;
import dev.coppice.wire.session.SessionBody;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.List;

/** The result of a session, and the reports of its program about itself. */
public final class SessionWorkOperations {
    private final Scope scope;
    private final Runs runs;
    private final TreeQuota treeRoom;
    private final SessionJournal journal;
    private final StopSession stop;
    private final InstantSource clock;

    public SessionWorkOperations(
            Scope scope,
            Runs runs,
            TreeQuota treeRoom,
            SessionJournal journal,
            StopSession stop,
            InstantSource clock) {
        this.scope = scope;
        this.runs = runs;
        this.treeRoom = treeRoom;
        this.journal = journal;
        this.stop = stop;
        this.clock = clock;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(
                        SessionCalls.RESULT,
                        Need.READ,
                        (x, in) -> scope.reading(x, in.sessionId(), this::result)),
                Operation.of(
                        SessionCalls.AFFINITY,
                        Need.READ,
                        (x, in) ->
                                scope.showing(x, in.sessionId(), SessionWorkOperations::affinity)),
                Operation.changing(SessionCalls.BIND, Need.BIND, scope.transactions(), this::bind),
                Operation.changing(SessionCalls.CLEAR, Need.ACT, scope.transactions(), this::clear),
                Operation.changing(
                        SessionCalls.CHANGE, Need.BIND, scope.transactions(), this::change),
                Operation.changing(SessionCalls.END, Need.BIND, scope.transactions(), this::end));
    }

    private Outcome<SessionCalls.ResultView> result(Session session) {
        boolean ready =
                session.state() instanceof SessionState.Idle
                        || session.state() instanceof SessionState.Ended;
        if (!ready) {
            var status = Words.ofSession(StateWord.of(session.state()));
            return Outcome.refused(new SessionRefusal.ResultNotReady(session.id(), status));
        }
        var run = runs.latestOf(session.id());
        if (run.isEmpty() || run.get().result().isEmpty()) {
            return Outcome.refused(new SessionRefusal.ResultMissing(session.id()));
        }
        var result = run.get().result();
        var data = result.data();
        return Outcome.done(
                new SessionCalls.ResultView(
                        run.get().id().value(),
                        result.text(),
                        data == null ? null : Views.shown(data),
                        result.text() == null && data != null ? data.value() : result.text()));
    }

    private static SessionCalls.AffinityBody affinity(Session s) {
        var binding = s.profile().binding();
        return new SessionCalls.AffinityBody(
                new SessionCalls.AffinityView(
                        s.id().value(),
                        binding.hostname(),
                        s.profile().projectDir(),
                        binding.executorProfile()));
    }

    /**
     * Stores where a session's program runs. Executors of unfenced runners bind when they begin, so
     * a session that was created without a run begins with its bind.
     */
    private Outcome<Commit<SessionBody.Done>> bind(Context x, SessionCalls.Bind in) {
        return scope.change(
                x,
                Need.BIND,
                in.sessionId(),
                s -> {
                    var bound = s.with(bound(s.profile(), in));
                    return switch (bound.state()) {
                        case SessionState.Running _, SessionState.Stopping _ -> saved(x, s, bound);
                        case SessionState.Pending _, SessionState.Idle _ ->
                                bound.on(new SessionEvent.RunBegan(clock.instant()))
                                        .then(began -> saved(x, s, began));
                        // A late report of an ended program must not revive its session.
                        case SessionState.Ended end ->
                                Outcome.refused(
                                        new SessionRefusal.StateForbids(
                                                "Session '%s'".formatted(s.id()),
                                                StateWord.of(end),
                                                "a late bind"));
                    };
                });
    }

    private Outcome<SessionBody.Done> saved(Context x, Session before, Session session) {
        var full =
                x.caller().isAgent()
                        ? treeRoom.forbidsChange(before, session)
                        : treeRoom.forbidsGrowth(before, session);
        if (full.isPresent()) return Outcome.refused(full.get());
        scope.sessions().save(session);
        journal.updated(session);
        return Outcome.done(new SessionBody.Done(true, Views.session(session)));
    }

    private Outcome<Commit<SessionBody.Done>> change(Context x, SessionCalls.Change in) {
        return scope.change(
                x,
                Need.BIND,
                in.bind().sessionId(),
                s -> {
                    var profile = bound(s.profile(), in.bind());
                    if (in.agentName() != null) profile = profile.from(in.agentName());
                    if (in.metadata() != null) {
                        profile = profile.describedBy(Given.object(in.metadata()));
                    }
                    return saved(x, s, s.with(profile));
                });
    }

    /** Refused while the program runs: it would bind its conversation again. */
    private Outcome<Commit<SessionBody.Done>> clear(Context x, SessionCalls.At in) {
        return scope.change(
                x,
                Need.ACT,
                in.sessionId(),
                s -> {
                    boolean runs =
                            s.state() instanceof SessionState.Running
                                    || s.state() instanceof SessionState.Stopping;
                    if (runs) {
                        return Outcome.refused(
                                new SessionRefusal.StateForbids(
                                        "Session '%s'".formatted(s.id()),
                                        StateWord.of(s.state()),
                                        "a clear"));
                    }
                    var profile = s.profile();
                    return saved(x, s, s.with(profile.boundTo(profile.binding().forgotten())));
                });
    }

    /** Refused for a session with a live run: its runner reports the end. */
    private Outcome<Commit<SessionBody.Done>> end(Context x, SessionCalls.End in) {
        return scope.change(
                x,
                Need.BIND,
                in.sessionId(),
                s ->
                        runs.liveOf(s.id()).isPresent()
                                ? Outcome.refused(
                                        new SessionRefusal.StateForbids(
                                                "Session '%s' has a run, which".formatted(s.id()),
                                                StateWord.of(s.state()),
                                                "a report of its end"))
                                : stop.programEnded(s.id(), Shape.word(in.status()), in.reason())
                                        .map(done ->
                                                new SessionBody.Done(
                                                        true, Views.session(done.session()))));
    }

    private static Profile bound(Profile p, SessionCalls.Bind in) {
        var before = p.binding();
        var now =
                new Profile.Binding(
                        or(in.executorSessionId(), before.executorSessionId()),
                        or(in.executorProfile(), before.executorProfile()),
                        or(in.hostname(), before.hostname()));
        return (in.projectDir() == null ? p : p.in(in.projectDir())).boundTo(now);
    }

    private static @Nullable String or(@Nullable String given, @Nullable String before) {
        return given == null ? before : given;
    }
}
