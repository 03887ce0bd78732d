package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.run.Run;
import dev.coppice.run.RunFilter;
import dev.coppice.run.RunWord;
import dev.coppice.run.Runs;
import dev.coppice.session.Session;
import dev.coppice.stop.StopSession;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.wire.run.RunAnswer;
import dev.coppice.wire.run.RunCalls;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Lists runs, reads one or waits for its end, and stops one. */
public final class RunOperations {
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);
    private final Scope scope;
    private final Runs runs;
    private final RunWaits waits;
    private final StopSession stop;

    public RunOperations(Scope scope, Runs runs, RunWaits waits, StopSession stop) {
        this.scope = scope;
        this.runs = runs;
        this.waits = waits;
        this.stop = stop;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(RunCalls.LIST, Need.READ, this::list),
                Operation.of(RunCalls.READ, Need.READ, this::read)
                        .then((x, in, run) -> waits.after(x, run, in.patience())),
                Operation.changing(RunCalls.STOP, Need.ACT, scope.transactions(), this::stop));
    }

    private Outcome<RunCalls.Page> list(Context x, RunCalls.Find in) {
        return scope.transactions()
                .read(() -> {
                    var page = runs.list(filter(x, in), Given.cursor(in.page()));
                    var views =
                            page.items().stream().map(r -> Views.run(r, scope.sessions())).toList();
                    return Outcome.done(new RunCalls.Page(views, page.next()));
                });
    }

    private RunFilter filter(Context x, RunCalls.Find in) {
        var states = states(in.status());
        var session = Given.sessionId(in.sessionId());
        if (session != null && !scope.access().sees(x.caller(), session)) {
            throw new Rejected(new SessionRefusal.SessionUnknown(session.value()));
        }
        var top = scope.visible(x, "subtree", in.subtree());
        var filter = new RunFilter(states, session, top);
        var own = x.session();
        return own == null || top != null ? filter : filter.within(own);
    }

    private static Set<String> states(@Nullable List<String> asked) {
        var all = new ArrayList<>(RunWord.LIVE);
        all.addAll(RunWord.ENDED);
        var states = new LinkedHashSet<String>();
        for (var word : asked == null ? List.<String>of() : asked) {
            var meant = Words.runStates(word, all);
            if (meant.isEmpty()) {
                throw Given.bad("status", word, "one of " + String.join(", ", all));
            }
            states.addAll(meant);
        }
        return states;
    }

    private Outcome<RunAnswer> read(Context x, RunCalls.Await in) {
        return scope.transactions()
                .read(() ->
                        found(x, in.runId()).<RunAnswer>map(f -> Views.run(f.run(), f.session())));
    }

    private record Found(Run run, Session session) {}

    private Outcome<Found> found(Context x, String id) {
        var run = runs.find(new RunId(id));
        if (run.isEmpty() || !scope.access().sees(x.caller(), run.get().session())) {
            return Outcome.refused(new RunRefusal.RunUnknown(id));
        }
        var session = scope.sessions().find(run.get().session()).orElseThrow();
        return Outcome.done(new Found(run.get(), session));
    }

    private Outcome<Commit<RunCalls.Stopped>> stop(Context x, RunCalls.At in) {
        return Outcome.done(() ->
                found(x, in.runId())
                        .then(f -> scope.session(x, Need.ACT, f.session().id().value()))
                        .then(s -> stop.stop(s.id(), STOP_DEADLINE, "Run was manually stopped"))
                        .map(done -> stopped(in.runId(), done.session())));
    }

    private RunCalls.Stopped stopped(String id, Session session) {
        var now = runs.find(new RunId(id)).orElseThrow();
        return new RunCalls.Stopped(
                true, id, session.id().value(), Words.ofRun(RunWord.of(now.state())));
    }
}
