package dev.coppice.operations.look;

import dev.coppice.access.Need;
import dev.coppice.health.Glance;
import dev.coppice.health.Health;
import dev.coppice.health.Healths;
import dev.coppice.health.LastWords;
import dev.coppice.health.Use;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.operations.Scope;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.session.StateWord;
import dev.coppice.view.Headlines;
import dev.coppice.view.Questions;
import dev.coppice.view.Views;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.look.ActivityCalls;
import dev.coppice.wire.look.ActivityCalls.GlanceView;
import dev.coppice.wire.look.ActivityCalls.HealthView;
import dev.coppice.wire.look.ActivityCalls.SumView;
import dev.coppice.wire.look.ActivityCalls.UseView;
import dev.coppice.wire.look.OutlineCalls.QuestionView;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Shows how sessions are doing, and stores what runners measure. */
public final class ActivityOperations {
    private final Scope scope;
    private final Healths healths;
    private final Headlines headlines;
    private final InstantSource clock;

    public ActivityOperations(Scope scope, Healths healths, InstantSource clock) {
        this.scope = scope;
        this.healths = healths;
        this.headlines = new Headlines(healths);
        this.clock = clock;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(ActivityCalls.LIST, Need.READ, this::list),
                Operation.of(ActivityCalls.READ, Need.READ, this::read),
                Operation.of(RunnerCalls.SAMPLES, Need.RUN, (_, in) -> sample(in)));
    }

    private Outcome<ActivityCalls.Active> list(Context x, ActivityCalls.Find in) {
        return scope.transactions()
                .read(() -> {
                    var named = scope.visible(x, "session_id", in.sessionId());
                    var now = clock.instant();
                    var within = named == null ? x.session() : named;
                    var questions = questions(within);
                    var since = now.minus(Duration.ofHours(in.failedHours()));
                    var sessions =
                            healths.active(within, since, now, in.limit()).stream()
                                    .sorted(Comparator.comparing(h -> h.attention(now)))
                                    .map(health -> view(health, questions, now))
                                    .toList();
                    var sum = view(healths.sum(within, since), questions.size());
                    return Outcome.done(new ActivityCalls.Active(sessions, sum));
                });
    }

    private static SumView view(Healths.Sum sum, int asking) {
        return new SumView(
                asking, sum.live(), sum.idle(), sum.failed(), sum.tokens(), sum.costMicros());
    }

    private Outcome<ActivityCalls.OfTree> read(Context x, SessionCalls.At in) {
        return scope.showing(
                x,
                in.sessionId(),
                session -> {
                    var now = clock.instant();
                    var health = healths.find(session.id(), now).orElseThrow();
                    var tree = healths.below(session.id(), now);
                    var questions = questions(session.id());
                    return new ActivityCalls.OfTree(view(health, questions, now), view(tree));
                });
    }

    private Outcome<EventCalls.Done> sample(RunnerCalls.Samples in) {
        var now = clock.instant();
        var samples =
                in.samples().stream()
                        .map(s ->
                                new Healths.Sample(
                                        new RunId(s.runId()),
                                        s.cpuMillis(),
                                        s.memoryBytes(),
                                        s.processes(),
                                        s.openFiles(),
                                        printed(s, now)))
                        .toList();
        return scope.transactions()
                .write(() -> {
                    healths.sample(new RunnerId(in.runnerId()), samples, now);
                    return Outcome.done(EventCalls.Done.OK);
                });
    }

    private static LastWords.@Nullable Printed printed(RunnerCalls.Sample sample, Instant now) {
        var line = sample.lastLine();
        if (line == null || line.isBlank()) return null;
        return new LastWords.Printed(line, now.minusMillis(sample.quietMs()));
    }

    private Map<SessionId, QuestionView> questions(@Nullable SessionId within) {
        return Questions.open(healths, within);
    }

    private HealthView view(Health health, Map<SessionId, QuestionView> questions, Instant now) {
        var session = health.session();
        var parent = session.place().parentId();
        return new HealthView(
                session.id().value(),
                session.name(),
                parent == null ? null : parent.value(),
                session.place().path(),
                StateWord.of(session.state()),
                session.state().why(),
                Views.word(health.attention(now)),
                session.times().created().toString(),
                Views.text(session.times().started()),
                Views.text(session.times().ended()),
                health.silence(now).toMillis(),
                last(health),
                headlines.of(session, questions.get(session.id())),
                questions.get(session.id()),
                health.errorRate(),
                health.runs().all(),
                health.runs().failed(),
                health.livingBelow(),
                health.spent().tokens(),
                health.spent().costMicros(),
                view(health.use()));
    }

    private static @Nullable GlanceView last(Health health) {
        if (health.recent().isEmpty()) return null;
        Glance glance = health.recent().getFirst();
        return new GlanceView(glance.type(), glance.at().toString(), glance.tool());
    }

    private static UseView view(Use use) {
        return new UseView(
                use.cpuMillis(),
                use.cpuShare(),
                use.memoryBytes(),
                use.memoryPeak(),
                use.processes(),
                use.openFiles());
    }
}
