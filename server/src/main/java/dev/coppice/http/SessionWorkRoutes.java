package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.run.Runs;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.SessionEvent;
import dev.coppice.session.SessionJournal;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;
import dev.coppice.session.TreeRoom;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.SessionBody;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.InstantSource;
import java.util.List;

/** What is done with a session: its result, and what its program says of itself. */
public final class SessionWorkRoutes {
    private final Room room;
    private final Runs runs;
    private final TreeRoom treeRoom;
    private final SessionJournal journal;
    private final InstantSource clock;

    public SessionWorkRoutes(
            Room room, Runs runs, TreeRoom treeRoom, SessionJournal journal, InstantSource clock) {
        this.room = room;
        this.runs = runs;
        this.treeRoom = treeRoom;
        this.journal = journal;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(
                        "/sessions/{id}/result",
                        Need.READ,
                        "The result of the last run",
                        this::result),
                Route.get(
                        "/sessions/{id}/affinity",
                        Need.READ,
                        "Where the session last ran",
                        this::affinity),
                Route.post(
                        "/sessions/{id}/bind",
                        Need.REPORT,
                        "Say which program speaks for the session",
                        this::bind),
                Route.of(
                        dev.coppice.web.Method.PATCH,
                        "/sessions/{id}/metadata",
                        Need.REPORT,
                        "Change what is known of the session",
                        this::change));
    }

    private Reply result(Exchange x) {
        return room.reading(
                x,
                session -> {
                    boolean ready =
                            session.state() instanceof SessionState.Idle
                                    || session.state() instanceof SessionState.Ended;
                    var run = runs.latestOf(session.id());
                    if (!ready) {
                        var status = Words.ofSession(StateWord.of(session.state()));
                        return Problems.reply(
                                new SessionRefusal.ResultNotReady(session.id(), status));
                    }
                    if (run.isEmpty() || run.get().result().isEmpty()) {
                        return Problems.reply(new SessionRefusal.ResultMissing(session.id()));
                    }
                    var data = run.get().result().data();
                    return Reply.ok(
                            Json.object()
                                    .put("run_id", run.get().id().value())
                                    .put("result_text", run.get().result().text())
                                    .set("result_data", data == null ? null : Views.json(data)));
                });
    }

    private Reply affinity(Exchange x) {
        return room.reading(
                x,
                s -> {
                    var body = Json.object();
                    body.set(
                            "affinity",
                            Json.object()
                                    .put("session_id", s.id().value())
                                    .put("hostname", s.profile().binding().hostname())
                                    .put("project_dir", s.profile().projectDir())
                                    .put(
                                            "executor_profile",
                                            s.profile().binding().executorProfile()));
                    return Reply.ok(body);
                });
    }

    /**
     * The original's executors bind when they begin; a session made without a run begins so too.
     */
    private Reply bind(Exchange x) {
        var body = x.json();
        return room.writing(
                x,
                Need.REPORT,
                s -> {
                    var bound = s.with(bound(s.profile(), body));
                    return switch (bound.state()) {
                        case SessionState.Running _, SessionState.Stopping _ -> kept(x, s, bound);
                        case SessionState.Pending _, SessionState.Idle _ ->
                                x.reply(
                                        bound.on(new SessionEvent.RunBegan(clock.instant())),
                                        began -> kept(x, s, began));
                        // A late word of a program that is over does not bring its session back.
                        case SessionState.Ended end ->
                                Problems.reply(
                                        new SessionRefusal.StateForbids(
                                                "Session " + s.id(),
                                                StateWord.of(end),
                                                "a late bind"));
                    };
                });
    }

    private Reply kept(Exchange x, Session before, Session session) {
        var full =
                x.caller().isAgent()
                        ? treeRoom.forbidsChange(before, session)
                        : treeRoom.forbidsGrowth(before, session);
        if (full.isPresent()) return Problems.reply(full.get());
        room.sessions().save(session);
        journal.updated(session);
        return Reply.ok(new SessionBody.Done(true, Views.session(session)));
    }

    private Reply change(Exchange x) {
        var body = x.json();
        return room.writing(
                x,
                Need.REPORT,
                s -> {
                    var profile = bound(s.profile(), body);
                    var agent = Room.ASKED.label("agent_name", Json.text(body, "agent_name"));
                    if (agent != null) profile = profile.from(agent);
                    var changed = s.with(metadata(profile, body.get("metadata")));
                    return kept(x, s, changed);
                });
    }

    private static Profile metadata(Profile p, @Nullable JsonNode metadata) {
        if (metadata == null) return p;
        return p.describedBy(Room.ASKED.object("metadata", metadata, Bounds.METADATA_BYTES_MAX));
    }

    private static Profile bound(Profile p, JsonNode body) {
        var binding = p.binding();
        var directory = Room.ASKED.path("project_dir", Json.text(body, "project_dir"));
        var now =
                new Profile.Binding(
                        label(body, "executor_session_id", binding.executorSessionId()),
                        label(body, "executor_profile", binding.executorProfile()),
                        label(body, "hostname", binding.hostname()));
        return (directory == null ? p : p.in(directory)).boundTo(now);
    }

    private static @Nullable String label(JsonNode body, String field, @Nullable String before) {
        var said = Room.ASKED.label(field, Json.text(body, field));
        return said == null ? before : said;
    }
}
