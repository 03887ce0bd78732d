package dev.coppice.operations;

import dev.coppice.blueprints.HookVerdict;
import dev.coppice.blueprints.RunHook;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.HookedRuns.Waiting;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.run.RunEvent;
import dev.coppice.run.StartRun;
import dev.coppice.run.Task;
import dev.coppice.session.Limits;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Profile;
import dev.coppice.view.Views;
import dev.coppice.wire.Json;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.OnParentEnd;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Starts the hooks of runs, and carries out their decisions. A hook is a session below that of the
 * run. No runner is held up meanwhile: the run is queued when its hook lets it start.
 */
public final class RunHooks {
    private static final System.Logger LOG = System.getLogger("hooks");
    private static final int AT_ONCE = 1_000;

    /** Blueprints are files, so another coordinator may have one that this coordinator lacks. */
    private static final Duration UNKNOWN_MAX = Duration.ofSeconds(10);

    private static final Duration STUCK_MAX = Duration.ofMinutes(1);

    private final Ports ports;
    private final StartRun start;
    private final MoveRun move;
    private final Briefing briefing;
    private final ExplainChildren explaining;
    private final Ids ids;

    public RunHooks(
            Ports ports, StartRun start, Briefing briefing, ExplainChildren explaining, Ids ids) {
        this.ports = ports;
        this.start = start;
        this.move = new MoveRun(ports);
        this.briefing = briefing;
        this.explaining = explaining;
        this.ids = ids;
    }

    /** Starts hooks and applies the verdicts of ended ones; returns how many. */
    public int sweep() {
        int moved = 0;
        for (var waiting : ports.transactions().read(() -> ports.hookedRuns().due(AT_ONCE))) {
            moved += isDone(waiting.run(), () -> advance(waiting)) ? 1 : 0;
        }
        for (var run : ports.transactions().read(() -> ports.hookedRuns().followed(AT_ONCE))) {
            moved += isDone(run, () -> follow(run)) ? 1 : 0;
        }
        return moved;
    }

    /** A failure of one run must not hold up the others. */
    private static boolean isDone(Run run, BooleanSupplier step) {
        try {
            return step.getAsBoolean();
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the hook of " + run.id() + " cannot go on now",
                    e);
            return false;
        }
    }

    private static RunHook hook(Run run, RunHook.When when) {
        return RunHook.of(Views.json(run.task().definition()), when).orElseThrow();
    }

    private boolean advance(Waiting waiting) {
        var run = waiting.run();
        var hook = hook(run, RunHook.When.ON_RUN_START);
        var session = waiting.hook();
        try {
            return session == null
                    ? begin(run, hook)
                    : settle(run, hook, session, verdict(run, session));
        } catch (RuntimeException e) {
            if (isYoungerThan(STUCK_MAX, run)) throw e;
            LOG.log(System.Logger.Level.WARNING, "gave up the hook of " + run.id(), e);
            return settle(run, hook, session, HookVerdict.Failed.because("it cannot be run"));
        }
    }

    private boolean isYoungerThan(Duration age, Run run) {
        return run.state().since().plus(age).isAfter(ports.clock().instant());
    }

    private boolean begin(Run run, RunHook hook) {
        var parameters = run.task().parameters();
        var brief = briefing.forHook(hook.agent(), parameters, run.task().scope());
        boolean isUnknown =
                brief instanceof Outcome.Refused<Briefing.Brief>(var refusal)
                        && refusal instanceof BlueprintRefusal.BlueprintUnknown;
        if (isUnknown && isYoungerThan(UNKNOWN_MAX, run)) return false;
        return ports.transactions()
                .write(() -> {
                    if (!stillWaits(run, null)) return false;
                    return switch (brief.then(b -> started(run, hook, b))) {
                        case Outcome.Done<SessionId>(var session) -> {
                            ports.hookedRuns().begun(run.id(), session);
                            yield true;
                        }
                        // An undo of the removal may bring the run back.
                        case Outcome.Refused<SessionId>(RemovalRefusal _) -> false;
                        case Outcome.Refused<SessionId>(var why) -> {
                            apply(run, hook, HookVerdict.Failed.because(why.said()));
                            yield true;
                        }
                    };
                });
    }

    /** False if the run was stopped, or another coordinator was faster. */
    private boolean stillWaits(Run run, @Nullable SessionId hook) {
        return ports.hookedRuns()
                .waiting(run.id())
                .filter(still -> Objects.equals(still.hook(), hook))
                .isPresent();
    }

    private boolean settle(
            Run run, RunHook hook, @Nullable SessionId session, HookVerdict verdict) {
        return ports.transactions()
                .write(() -> {
                    if (!stillWaits(run, session)) return false;
                    apply(run, hook, verdict);
                    return true;
                });
    }

    private Outcome<SessionId> started(Run run, RunHook hook, Briefing.Brief brief) {
        boolean isBefore = hook.when() == RunHook.When.ON_RUN_START;
        var newcomer =
                new NewSession(
                        new SessionId("hook_" + ids.twelveHex()),
                        null,
                        null,
                        ParentReference.of(run.session()),
                        new Profile(
                                run.task().projectDir(),
                                brief.blueprint(),
                                null,
                                JsonText.EMPTY_OBJECT,
                                Profile.Binding.NONE),
                        Limits.NONE,
                        isBefore ? OnParentEnd.STOP : OnParentEnd.KEEP);
        // A hook before a run is synchronous: it needs no place beside that of the waiting run.
        var mode = isBefore ? ExecutionMode.SYNC : ExecutionMode.ASYNC_POLL;
        return start.start(
                        newcomer, new StartRun.Order(mode, task(run, hook, brief), brief.demands()))
                .map(begun -> {
                    explaining.started(ExplainChildren.Starter.HOOK, begun.session(), mode);
                    var said =
                            Map.of(
                                    "tool_input",
                                    Map.of(
                                            "hook_session_id",
                                            begun.session().id().value(),
                                            "hook_agent",
                                            hook.agent()));
                    tell(run, hook, "hook_start", said);
                    return begun.session().id();
                });
    }

    private static Task task(Run run, RunHook hook, Briefing.Brief brief) {
        var terms = brief.terms();
        var own = terms.lifetime();
        boolean isShorter = own != null && own.compareTo(hook.timeout()) < 0;
        return brief.task(
                run.task().projectDir(),
                new Task.Terms(
                        terms.silence(),
                        isShorter ? own : hook.timeout(),
                        terms.account(),
                        Task.Hooks.NONE));
    }

    /** The verdict of a hook that has ended. Not for use in a write: checking takes seconds. */
    private HookVerdict verdict(Run run, SessionId hook) {
        var last = ports.transactions().read(() -> ports.runs().latestOf(hook));
        if (last.isEmpty()) return HookVerdict.Failed.because("its session is gone");
        var verdict = HookVerdict.of(last.get());
        if (!(verdict instanceof HookVerdict.Passed(var given)) || given == null) return verdict;
        return switch (briefing.fitting(run, given)) {
            case Outcome.Done<JsonText>(var parameters) -> new HookVerdict.Passed(parameters);
            case Outcome.Refused<JsonText>(var why) ->
                    HookVerdict.Failed.because("its parameters do not fit: " + why.said());
        };
    }

    private void apply(Run run, RunHook hook, HookVerdict verdict) {
        switch (verdict) {
            case HookVerdict.Passed(var parameters) -> {
                boolean isChanged = parameters != null;
                var output = Map.of("action", "continue", "parameters_transformed", isChanged);
                tell(run, hook, "hook_complete", Map.of("tool_output", output));
                pass(run, parameters);
            }
            case HookVerdict.Blocked(var reason) -> {
                var output = Map.of("block_reason", reason);
                tell(run, hook, "hook_blocked", Map.of("tool_output", output));
                block(run, reason);
            }
            case HookVerdict.Failed(var error, var way) -> {
                boolean isLate = way == HookVerdict.Way.RAN_OUT_OF_TIME;
                tell(run, hook, isLate ? "hook_timeout" : "hook_failed", Map.of("error", error));
                if (hook.onError() == RunHook.OnError.BLOCK) block(run, "Hook failed: " + error);
                else pass(run, null);
            }
        }
    }

    private void pass(Run run, @Nullable JsonText parameters) {
        var next = parameters == null ? run : run.with(parameters);
        if (parameters != null) ports.hookedRuns().saveParameters(next);
        move.move(next, new RunEvent.HookPassed(ports.clock().instant()));
    }

    private void block(Run run, String reason) {
        var why = "Blocked by on_run_start hook: " + reason;
        move.move(
                run,
                new RunEvent.HookBlocked(
                        ports.clock().instant(), Bounds.firstOf(why, Bounds.REASON_CHARS_MAX)));
    }

    private boolean follow(Run run) {
        var hook = hook(run, RunHook.When.ON_RUN_FINISH);
        var brief =
                observed(run)
                        .then(input -> briefing.forHook(hook.agent(), input, run.task().scope()));
        return ports.transactions()
                .write(() -> {
                    if (!ports.hookedRuns().owesFollower(run.id())) return false;
                    return switch (brief.then(b -> started(run, hook, b))) {
                        case Outcome.Done<SessionId>(var session) -> {
                            ports.hookedRuns().followed(run.id(), session);
                            yield true;
                        }
                        case Outcome.Refused<SessionId>(RemovalRefusal _) -> false;
                        case Outcome.Refused<SessionId>(var refusal) -> {
                            tell(run, hook, "hook_failed", Map.of("error", refusal.said()));
                            ports.hookedRuns().followed(run.id(), null);
                            yield true;
                        }
                    };
                });
    }

    /** The result of a run, as the input of the hook that follows it. */
    private static Outcome<JsonText> observed(Run run) {
        var data = run.result().data();
        var isObject = data != null && Json.read(data.value()).isObject();
        var input = data != null && isObject ? data : prompt(run.result().text(), data);
        int size = Bounds.bytesOf(input.value());
        return size <= Bounds.PARAMETERS_BYTES_MAX
                ? Outcome.done(input)
                : Outcome.refused(
                        new RequestRefusal.TooLarge("result", size, Bounds.PARAMETERS_BYTES_MAX));
    }

    private static JsonText prompt(@Nullable String text, @Nullable JsonText data) {
        var told = text == null && data != null ? data.value() : text;
        if (told == null) return JsonText.EMPTY_OBJECT;
        return new JsonText(Json.write(Map.of("prompt", told)));
    }

    private void tell(Run run, RunHook hook, String type, Map<String, ?> said) {
        var body = new LinkedHashMap<String, Object>(said);
        body.put("tool_name", hook.tool());
        ports.journal()
                .append(
                        run.session(),
                        run.id(),
                        new Fact.Reported(type, new JsonText(Json.write(body))),
                        ports.clock().instant());
    }
}
