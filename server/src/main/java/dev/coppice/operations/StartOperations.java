package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.blueprint.Blueprint;
import dev.coppice.blueprint.BlueprintName;
import dev.coppice.kernel.BlueprintRefusal.Presence;
import dev.coppice.kernel.Demands;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.run.RunWord;
import dev.coppice.run.StartRun;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.view.Words;
import dev.coppice.wave.AdvanceWaves;
import dev.coppice.wave.Wave;
import dev.coppice.wire.Json;
import dev.coppice.wire.run.RunAnswer;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.StartRunRequest;
import dev.coppice.wire.run.StartedView;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Starts sessions with a run, and resumes sessions. */
public record StartOperations(
        Scope scope,
        StartRun start,
        Briefing briefing,
        RunWaits waits,
        BudgetOperations budgets,
        JoinWave joinWave,
        ExplainChildren explaining) {

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.changing(RunCalls.START, Need.SPAWN, scope.transactions(), this::begin)
                        .then((x, in, run) -> waits.after(x, run, in.patience())));
    }

    private Outcome<Commit<RunAnswer>> begin(Context x, StartRunRequest in) {
        return switch (in.type()) {
            case START_SESSION -> startSession(x, in);
            case RESUME_SESSION -> resume(x, in);
        };
    }

    private Outcome<Commit<RunAnswer>> startSession(Context x, StartRunRequest in) {
        var parent = Given.parent(in.parentSessionId(), in.parentSessionName());
        return startSession(x, in, parent.orElse(x.inherited()));
    }

    /** Starts a session below this parent, wherever the caller is. */
    Outcome<Commit<RunAnswer>> startSession(Context x, StartRunRequest in, ParentReference parent) {
        var name = in.agentName() == null ? Blueprint.DEFAULT : in.agentName();
        if (!BlueprintName.isValid(name)) throw Given.bad("agent_name", name, BlueprintName.RULE);
        var newcomer = newcomer(in, name, parent);
        return briefing.forStart(name, input(in), parent)
                .map(brief -> startSession(x, newcomer, in, brief));
    }

    private Commit<RunAnswer> startSession(
            Context x, NewSession newcomer, StartRunRequest in, Briefing.Brief brief) {
        var order = order(in, brief, newcomer.profile().projectDir());
        return () -> {
            var forbidden = scope.parentForbidden(x, newcomer.parent());
            if (forbidden.isPresent()) return Outcome.refused(forbidden.get());
            joinWave.check(x, in.waveId());
            return start.start(newcomer, order)
                    .then(begun -> budgeted(begun, in, x.caller().isPerson()))
                    .map(begun -> joined(x, begun, in))
                    .map(StartOperations::started);
        };
    }

    private StartRun.Started joined(Context x, StartRun.Started begun, StartRunRequest in) {
        explaining.asked(x, begun.session(), begun.run().mode());
        joinWave.join(begun.session(), in.waveId());
        return begun;
    }

    /** Checks the start of a member of a wave, and returns the start itself. */
    public Outcome<AdvanceWaves.Start> prepared(
            StartRunRequest in, ParentReference parent, Wave wave) {
        var name = in.agentName() == null ? Blueprint.DEFAULT : in.agentName();
        if (!BlueprintName.isValid(name)) throw Given.bad("agent_name", name, BlueprintName.RULE);
        var newcomer = newcomer(in, name, parent);
        return briefing.forStart(name, input(in), parent)
                .map(brief -> {
                    var order = order(in, brief, newcomer.profile().projectDir());
                    return () ->
                            start.start(newcomer, order)
                                    .then(begun -> budgeted(begun, in, wave.isByPerson()))
                                    .map(this::inWave);
                });
    }

    private SessionId inWave(StartRun.Started begun) {
        var session = begun.session();
        explaining.started(ExplainChildren.Starter.WAVE, session, begun.run().mode());
        return session.id();
    }

    /** Sets the budget before anything can be spent. */
    private Outcome<StartRun.Started> budgeted(
            StartRun.Started begun, StartRunRequest in, boolean isByPerson) {
        var budget = in.budget();
        return budget == null
                ? Outcome.done(begun)
                : budgets.set(begun.session(), budget, isByPerson).map(_ -> begun);
    }

    private static NewSession newcomer(
            StartRunRequest in, String blueprint, ParentReference parent) {
        return new NewSession(
                Given.sessionId(in.sessionId()),
                Given.sessionName(in.sessionName()),
                type(in, parent),
                parent,
                new Profile(
                        in.projectDir(),
                        blueprint,
                        in.sourceApp(),
                        Given.object(in.metadata()),
                        Profile.Binding.NONE),
                Given.limits(in.limits()),
                in.onParentEnd());
    }

    private static @Nullable SessionType type(StartRunRequest in, ParentReference parent) {
        if (in.sessionType() != null) return in.sessionType();
        return in.waveId() != null && parent.isMade() ? SessionType.WAVE : null;
    }

    private Outcome<Commit<RunAnswer>> resume(Context x, StartRunRequest in) {
        var claim = Given.parent(in.parentSessionId(), in.parentSessionName());
        // An agent may resume only below itself; others may resume if they may start.
        var need = x.caller().isAgent() ? Need.ACT : Need.SPAWN;
        return scope.lookedUp(x, need, target(x, in).value())
                .then(session -> resume(session, claim, in));
    }

    private Outcome<Commit<RunAnswer>> resume(
            Session session, ParentReference claim, StartRunRequest in) {
        var name = session.profile().blueprint();
        var directory = session.profile().projectDir();
        return briefing.forResume(session, name == null ? Blueprint.DEFAULT : name, input(in))
                .map(brief -> {
                    var order = order(in, affine(brief, session), directory);
                    return () ->
                            start.resume(session.id(), claim, order)
                                    .map(begun -> in.afresh() ? anew(begun) : begun)
                                    .map(StartOperations::started);
                });
    }

    /** Forgets the program's own conversation, now that the run is accepted. */
    private StartRun.Started anew(StartRun.Started begun) {
        var profile = begun.session().profile();
        var session = begun.session().with(profile.boundTo(profile.binding().forgotten()));
        scope.sessions().save(session);
        return new StartRun.Started(begun.run(), session);
    }

    /** Demands the host and profile where the program and the files of the session are. */
    private static Briefing.Brief affine(Briefing.Brief brief, Session session) {
        var binding = session.profile().binding();
        var affinity =
                new Demands(binding.hostname(), null, binding.executorProfile(), null, Set.of());
        return brief.on(affinity.and(brief.demands()));
    }

    private SessionId target(Context x, StartRunRequest in) {
        var id = in.sessionId();
        if (id != null) {
            if (SessionId.isValid(id)) return new SessionId(id);
            throw new Rejected(new SessionRefusal.SessionUnknown(id));
        }
        var name = in.sessionName();
        if (name == null) {
            throw new Rejected(new RunRefusal.SessionNotNamed());
        }
        return scope.transactions()
                .read(() -> scope.named(x, name).map(Session::id))
                .orElseThrow(() -> new Rejected(new SessionRefusal.SessionUnknown(name)));
    }

    private static Briefing.Input input(StartRunRequest in) {
        var parameters = in.parameters();
        if (parameters == null && in.prompt() != null) {
            parameters = Json.tree(Map.of("prompt", in.prompt()));
        }
        return new Briefing.Input(
                Parsed.of(parameters),
                Parsed.of(in.scope()),
                Given.demands(in.additionalDemands()),
                parameters == null ? Presence.ABSENT : Presence.GIVEN);
    }

    private static StartRun.Order order(
            StartRunRequest in, Briefing.Brief brief, @Nullable String projectDir) {
        var task = brief.task(projectDir, brief.terms());
        return new StartRun.Order(in.executionMode(), task, brief.demands());
    }

    private static RunAnswer started(StartRun.Started started) {
        return new StartedView(
                started.run().id().value(),
                started.session().id().value(),
                started.session().name(),
                Words.ofRun(RunWord.of(started.run().state())));
    }
}
