package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.agent.Blueprint;
import dev.coppice.agent.BlueprintName;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.run.Demands;
import dev.coppice.run.Mode;
import dev.coppice.run.RunType;
import dev.coppice.run.RunWord;
import dev.coppice.run.StartRun;
import dev.coppice.run.Task;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentClaim;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.SessionType;
import dev.coppice.session.Standing;
import dev.coppice.view.BlueprintText;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.web.Exchange;
import dev.coppice.web.Once;
import dev.coppice.web.Rejected;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.StartRunRequest;
import dev.coppice.wire.StartedView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** POST /runs: starts a session with a run, or goes on with one. */
public final class StartRoutes {
    private final Room room;
    private final StartRun start;
    private final Briefing briefing;
    private final Once once;
    private final RunWaits waits;
    private final BudgetRoutes budgets;

    public StartRoutes(
            Room room,
            StartRun start,
            Briefing briefing,
            Once once,
            RunWaits waits,
            BudgetRoutes budgets) {
        this.budgets = budgets;
        this.waits = waits;
        this.room = room;
        this.start = start;
        this.briefing = briefing;
        this.once = once;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/runs", Need.SPAWN, "Start a session, or resume one", this::start)
                        .with(
                                new Route.Query(
                                        "wait",
                                        "answer with the run when it has ended, or after this"
                                                + " long, as 10m"))
                        .takes(StartRunRequest.class)
                        .gives(StartedView.class));
    }

    private Reply start(Exchange x) {
        var patience = x.patience("wait");
        var started = begun(x);
        var id = patience.isZero() ? null : startedRun(started);
        if (id == null) return started;
        return waits.untilOver(id, x.caller().session(), patience);
    }

    /** The run of an answer that says that one was started; also of an answer given again. */
    private static @Nullable RunId startedRun(Reply reply) {
        if (reply.status() != 201) return null;
        return switch (reply) {
            case Reply.Body(_, StartedView view) -> new RunId(view.runId());
            case Reply.Text(_, _, var text) ->
                    new RunId(String.valueOf(Json.text(Json.read(text), "run_id")));
            default -> null;
        };
    }

    private Reply begun(Exchange x) {
        var body = x.body(StartRunRequest.class);
        var type = Room.ASKED.word("type", body.type(), RunType.class);
        return once.perform(
                x,
                () ->
                        switch (type == null ? RunType.START_SESSION : type) {
                            case START_SESSION -> startSession(x, body);
                            case RESUME_SESSION -> resume(x, body);
                        });
    }

    private Reply startSession(Exchange x, StartRunRequest body) {
        var name = body.agentName() == null ? Blueprint.DEFAULT : body.agentName();
        if (!BlueprintName.isShapely(name)) {
            throw Room.ASKED.bad("agent_name", name, BlueprintName.RULE);
        }
        var parent =
                Room.ASKED
                        .parent(body.parentSessionId(), body.parentSessionName())
                        .orElse(x.inheritedParent());
        var newcomer = newcomer(body, name, parent);
        return x.reply(
                briefing.forStart(name, input(body), parent).then(b -> begin(x, newcomer, body, b)),
                StartRoutes::started);
    }

    private Outcome<StartRun.Started> begin(
            Exchange x, NewSession newcomer, StartRunRequest body, Briefing.Brief brief) {
        return room.transactions()
                .write(() -> {
                    var forbidden = SessionRoutes.parentForbidden(room, x, newcomer.parent());
                    if (forbidden != null) return Outcome.refused(forbidden);
                    var order = order(body, brief, newcomer.profile().projectDir());
                    return start.start(newcomer, order).then(begun -> budgeted(begun, body));
                });
    }

    /** What it may spend is set before anything can be. */
    private Outcome<StartRun.Started> budgeted(StartRun.Started begun, StartRunRequest body) {
        var budget = body.budget();
        return budget == null
                ? Outcome.done(begun)
                : budgets.set(begun.session(), budget).map(_ -> begun);
    }

    private static NewSession newcomer(StartRunRequest body, String blueprint, ParentClaim parent) {
        return new NewSession(
                Room.ASKED.sessionId(body.sessionId()),
                Room.ASKED.sessionName(body.sessionName()),
                Room.ASKED.word("session_type", body.sessionType(), SessionType.class),
                parent,
                new Profile(
                        Room.ASKED.path("project_dir", body.projectDir()),
                        blueprint,
                        Room.ASKED.label("source_app", body.sourceApp()),
                        Room.ASKED.object("metadata", body.metadata(), Bounds.METADATA_BYTES_MAX),
                        Profile.Binding.NONE),
                Room.ASKED.limits(body.limits()),
                Room.ASKED.word("on_parent_end", body.onParentEnd(), Standing.OnParentEnd.class));
    }

    private Reply resume(Exchange x, StartRunRequest body) {
        var id = target(x, body);
        var claim = Room.ASKED.parent(body.parentSessionId(), body.parentSessionName());
        var session =
                room.transactions().read(() -> room.access().session(x.caller(), Need.ACT, id));
        return x.reply(session.then(s -> resume(s, claim, body)), StartRoutes::started);
    }

    private Outcome<StartRun.Started> resume(
            Session session, ParentClaim claim, StartRunRequest body) {
        var name = session.profile().blueprint();
        return briefing.forResume(session, name == null ? Blueprint.DEFAULT : name, input(body))
                .then(brief ->
                        start.resume(
                                session.id(),
                                claim,
                                order(
                                        body,
                                        affine(brief, session),
                                        session.profile().projectDir())));
    }

    /** A session goes on where its program and its files are. */
    private static Briefing.Brief affine(Briefing.Brief brief, Session session) {
        var binding = session.profile().binding();
        var affinity =
                new Demands(
                        binding.hostname(),
                        null,
                        binding.executorProfile(),
                        null,
                        java.util.Set.of());
        return brief.on(affinity.and(brief.demands()));
    }

    private SessionId target(Exchange x, StartRunRequest body) {
        if (body.sessionId() != null) {
            if (!SessionId.isShapely(body.sessionId())) {
                throw new Rejected(new SessionRefusal.SessionUnknown(body.sessionId()));
            }
            return new SessionId(body.sessionId());
        }
        var name = body.sessionName();
        if (name == null) {
            throw Room.ASKED.bad(
                    "session_id", "", "given: session_id is required for resume_session");
        }
        return room.transactions()
                .read(() ->
                        room.sessions()
                                .named(name)
                                .filter(s -> room.access().sees(x.caller(), s.id()))
                                .map(Session::id))
                .orElseThrow(() -> new Rejected(new SessionRefusal.SessionUnknown(name)));
    }

    private static Briefing.Input input(StartRunRequest body) {
        var parameters = body.parameters();
        if (parameters == null || parameters.isNull()) {
            parameters = body.prompt() == null ? null : Json.object().put("prompt", body.prompt());
        }
        return new Briefing.Input(
                Room.ASKED.object("parameters", parameters, Bounds.PARAMETERS_BYTES_MAX),
                Room.ASKED.object("scope", body.scope(), Bounds.METADATA_BYTES_MAX),
                Room.ASKED.demands(body.additionalDemands()));
    }

    private static StartRun.Order order(
            StartRunRequest body, Briefing.Brief brief, @Nullable String projectDir) {
        var mode = Room.ASKED.word("execution_mode", body.executionMode(), Mode.class);
        var task =
                new Task(
                        brief.blueprint(),
                        brief.definition(),
                        brief.parameters(),
                        brief.scope(),
                        projectDir,
                        BlueprintText.terms(Views.json(brief.definition())));
        return new StartRun.Order(mode == null ? Mode.SYNC : mode, task, brief.demands());
    }

    private static Reply started(StartRun.Started started) {
        return Reply.created(
                new StartedView(
                        started.run().id().value(),
                        started.session().id().value(),
                        started.session().name(),
                        Words.ofRun(RunWord.of(started.run().state()))));
    }
}
