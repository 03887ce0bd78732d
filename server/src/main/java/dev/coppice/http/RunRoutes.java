package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.run.Run;
import dev.coppice.run.RunFilter;
import dev.coppice.run.RunWord;
import dev.coppice.run.Runs;
import dev.coppice.session.Session;
import dev.coppice.stop.StopSession;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.web.Exchange;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.RunView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Runs: the list, one of them, waiting for its end, and stopping it. */
public final class RunRoutes {
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);
    private final Room room;
    private final Runs runs;
    private final RunWaits waits;
    private final StopSession stop;

    public RunRoutes(Room room, Runs runs, RunWaits waits, StopSession stop) {
        this.room = room;
        this.runs = runs;
        this.waits = waits;
        this.stop = stop;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/runs", Need.READ, "List runs, newest first", this::list)
                        .paged()
                        .with(
                                new Route.Query("status", "a state, or several with commas"),
                                new Route.Query("session_id", "only runs of this session")),
                Route.get("/runs/{run}", Need.READ, "Read a run, or wait for its end", this::read)
                        .with(new Route.Query("wait", "wait for the end this long at most, as 30s"))
                        .gives(RunView.class),
                Route.post(
                        "/runs/{run}/stop", Need.ACT, "Stop the session of the run", this::stop));
    }

    private Reply list(Exchange x) {
        return room.transactions()
                .read(() -> {
                    var page = runs.list(filter(x), x.cursor());
                    return Reply.ok(Listed.as("runs", page, r -> Views.run(r, room.sessions())));
                });
    }

    private RunFilter filter(Exchange x) {
        var states = states(x.query("status"));
        var session = Room.ASKED.sessionId(x.query("session_id"));
        if (session != null && !room.access().sees(x.caller(), session)) {
            throw new dev.coppice.web.Rejected(new SessionRefusal.SessionUnknown(session.value()));
        }
        var filter = new RunFilter(states, session, null);
        var own = x.caller().session();
        return own == null ? filter : filter.within(own);
    }

    private static Set<String> states(@Nullable String asked) {
        if (asked == null) return Set.of();
        var all = new java.util.ArrayList<>(RunWord.LIVE);
        all.addAll(RunWord.ENDED);
        var states = new LinkedHashSet<String>();
        for (var word : asked.split(",", -1)) {
            var meant = Words.runStates(word, all);
            if (meant.isEmpty())
                throw Room.ASKED.bad("status", word, "one of " + String.join(", ", all));
            states.addAll(meant);
        }
        return states;
    }

    private Reply read(Exchange x) {
        var id = new RunId(x.path("run"));
        var patience = x.patience("wait");
        var seen = room.transactions().read(() -> found(x, id));
        if (patience.isZero() || seen instanceof Outcome.Refused<Found>) {
            return x.reply(seen, f -> Reply.ok(Views.run(f.run(), f.session())));
        }
        return waits.untilOver(id, x.caller().session(), patience);
    }

    private record Found(Run run, Session session) {}

    private Outcome<Found> found(Exchange x, RunId id) {
        var run = runs.find(id);
        if (run.isEmpty() || !room.access().sees(x.caller(), run.get().session())) {
            return Outcome.refused(new RunRefusal.RunUnknown(id.value()));
        }
        var session = room.sessions().find(run.get().session()).orElseThrow();
        return Outcome.done(new Found(run.get(), session));
    }

    private Reply stop(Exchange x) {
        var id = new RunId(x.path("run"));
        return room.transactions()
                .write(() ->
                        x.reply(
                                found(x, id).then(f -> stopped(x, f.session().id(), id)),
                                reply -> reply));
    }

    private Outcome<Reply> stopped(Exchange x, SessionId session, RunId id) {
        return room.access()
                .session(x.caller(), Need.ACT, session)
                .then(s -> stop.stop(s.id(), STOP_DEADLINE, "Run was manually stopped"))
                .map(done ->
                        Reply.ok(
                                Json.object()
                                        .put("ok", true)
                                        .put("run_id", id.value())
                                        .put("session_id", session.value())
                                        .put(
                                                "status",
                                                Words.ofRun(
                                                        RunWord.of(
                                                                runs.find(id)
                                                                        .orElseThrow()
                                                                        .state())))));
    }
}
