package dev.coppice.operations.fleet;

import dev.coppice.access.Need;
import dev.coppice.blueprint.Schemas;
import dev.coppice.blueprints.BlueprintText;
import dev.coppice.blueprints.ResultUsage;
import dev.coppice.budget.Amounts;
import dev.coppice.budget.Spending;
import dev.coppice.fleet.Leases;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.operation.Operation;
import dev.coppice.operation.Rejected;
import dev.coppice.run.Holder;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Ports;
import dev.coppice.run.ReportRun;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.RunWord;
import dev.coppice.run.Runs;
import dev.coppice.session.SessionState;
import dev.coppice.stop.StopSession;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.wire.fleet.ReportRequest;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.fleet.RunnerCalls.Reported;
import dev.coppice.work.Workplace;
import dev.coppice.work.Workplaces;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Takes the reports of runners about their runs. */
public final class ReportOperations {
    private final Transactions transactions;
    private final Runners runners;
    private final Runs runs;
    private final Reports reports;

    /** The commands behind a report, and the check of results against schemas. */
    public record Reports(
            ReportRun report,
            StopSession stop,
            Schemas schemas,
            Leases leases,
            Workplaces workplaces,
            Spending spending,
            Ports ports) {}

    public ReportOperations(
            Transactions transactions, Runners runners, Runs runs, Reports reports) {
        this.transactions = transactions;
        this.runners = runners;
        this.runs = runs;
        this.reports = reports;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(RunnerCalls.STARTED, Need.RUN, (_, in) -> started(in)),
                Operation.of(RunnerCalls.COMPLETED, Need.RUN, (_, in) -> completed(in)),
                Operation.of(RunnerCalls.FAILED, Need.RUN, (_, in) -> failed(in)),
                Operation.of(RunnerCalls.STOPPED, Need.RUN, (_, in) -> stopped(in)),
                Operation.of(RunnerCalls.SESSION_ENDED, Need.RUN, (_, in) -> sessionEnded(in)));
    }

    private interface Told {
        Outcome<Run> by(RunId run, Holder holder, ReportRequest report);
    }

    private Outcome<Reported> started(RunnerCalls.Report in) {
        return apply(
                in,
                (run, by, report) -> {
                    var ended = endedByOriginal(run, by, report);
                    if (ended.isPresent()) return Outcome.done(ended.get());
                    return reports.report()
                            .confirmed(run, by, lease(by.runner()))
                            .map(confirmed -> storeWorkplace(confirmed, by.runner(), report));
                });
    }

    /** The original's runners may report the end of a short run before they report its start. */
    private Optional<Run> endedByOriginal(RunId id, Holder by, ReportRequest report) {
        if (report.fence() != null) return Optional.empty();
        return runs.find(id)
                .filter(run -> run.state() instanceof RunState.Ended end && by.equals(end.by()));
    }

    /** Makes up for the start that an original's runner has not reported yet. */
    private void startOriginal(RunId id, Holder by, ReportRequest report) {
        boolean isUnstarted =
                report.fence() == null
                        && runs.find(id)
                                .filter(run -> run.state() instanceof RunState.Claimed)
                                .isPresent();
        if (isUnstarted) reports.report().confirmed(id, by, lease(by.runner()));
    }

    /** Stores where the run works: a removal looks for unsaved work there. */
    private Run storeWorkplace(Run run, RunnerId by, ReportRequest body) {
        var place = body.workplace();
        var runner = runners.find(by);
        if (place != null && runner.isPresent()) {
            reports.workplaces()
                    .note(
                            new Workplace(
                                    run.session(),
                                    runner.get().post().hostname(),
                                    place.directory(),
                                    place.made()
                                            ? Workplace.Made.BY_COPPICE
                                            : Workplace.Made.BY_OTHERS,
                                    place.outputs()));
        }
        return run;
    }

    private Duration lease(RunnerId runner) {
        return runners.find(runner)
                .map(r -> reports.leases().ofRun(r.protocol()))
                .orElse(Duration.ZERO);
    }

    private Outcome<Reported> completed(RunnerCalls.Report in) {
        // Parsed before the transaction: a large result takes time.
        var result = result(in.report());
        var id = new RunId(in.runId());
        while (true) {
            // Checked outside of the transaction: a schema can take seconds.
            var judged = judged(id, result);
            var outcome = transactions.write(() -> completed(in, result, judged));
            if (outcome.isPresent()) return outcome.get();
        }
    }

    /**
     * The result data of a run, how it breaks the schema if it does, and the usage that it tells.
     */
    private record Judged(@Nullable JsonText brought, Optional<String> broken, Amounts usage) {}

    private Judged judged(RunId id, Result result) {
        var run = transactions.read(() -> runs.find(id));
        if (run.isEmpty()) return new Judged(result.data(), Optional.empty(), Amounts.NONE);
        var brought = brought(run.get(), result);
        var usage = ResultUsage.in(Views.json(run.get().task().definition()), brought);
        return new Judged(brought, violation(run.get(), brought), usage);
    }

    private static @Nullable JsonText brought(Run run, Result result) {
        return result.isEmpty() ? run.result().data() : result.data();
    }

    /** Empty if the agent has reported another result since this one was checked. */
    private Optional<Outcome<Reported>> completed(
            RunnerCalls.Report in, Result result, Judged judged) {
        var run = runs.find(new RunId(in.runId()));
        var now = run.map(r -> brought(r, result)).orElse(judged.brought());
        if (!Objects.equals(now, judged.brought())) return Optional.empty();
        var correction = correction(in, judged.broken());
        return Optional.of(
                correction.isPresent()
                        ? Outcome.done(new Reported(true, null, null, correction.get()))
                        : apply(
                                in,
                                (id, by, report) -> {
                                    startOriginal(id, by, report);
                                    boolean isFirst =
                                            run.filter(r -> r.state().held() != null).isPresent();
                                    var ended =
                                            judged.broken().isPresent()
                                                    ? reports.report()
                                                            .failed(id, by, judged.broken().get())
                                                    : reports.report()
                                                            .completed(
                                                                    id, by, result, after(report));
                                    // A repeated report must not count twice.
                                    return isFirst
                                            ? ended.map(r -> counted(r, judged.usage()))
                                            : ended;
                                }));
    }

    private Run counted(Run run, Amounts usage) {
        if (!usage.equals(Amounts.NONE)) {
            reports.spending().spend(reports.ports(), run.session(), usage);
        }
        return run;
    }

    /**
     * The correction for an agent whose result breaks its schema. It is sent once, and only through
     * a runner that supports corrections.
     */
    private Optional<String> correction(RunnerCalls.Report in, Optional<String> broken) {
        var report = in.report();
        if (broken.isEmpty() || report.attempt() == null || report.fence() == null) {
            return Optional.empty();
        }
        var id = new RunId(in.runId());
        // A correction is no script: such a run could only repeat its result.
        boolean canBeCorrected =
                runs.find(id)
                        .map(r -> BlueprintText.canBeCorrected(Views.json(r.task().definition())))
                        .orElse(true);
        if (!canBeCorrected) return Optional.empty();
        var by = new Holder(new RunnerId(String.valueOf(report.runnerId())), report.fence());
        return reports.report().sendBackOnce(id, by, report.attempt())
                ? broken.map(b ->
                        b
                                + ". Please give the whole result again, as one JSON value that"
                                + " fits the schema, and nothing else.")
                : Optional.empty();
    }

    private static MoveRun.After after(ReportRequest body) {
        return "idle".equals(body.sessionStatus()) ? MoveRun.After.IDLE : MoveRun.After.FINISHED;
    }

    /** Describes how the data breaks the blueprint's output_schema; such a run fails. */
    private Optional<String> violation(Run run, @Nullable JsonText data) {
        var schema = BlueprintText.outputSchema(Views.json(run.task().definition()));
        if (schema == null) return Optional.empty();
        if (data == null) {
            return Optional.of("The result is not JSON, but the blueprint has an output_schema");
        }
        return reports.schemas().violations(schema, data).stream()
                .findFirst()
                .map(v -> "The result breaks the output_schema: " + v.path() + " " + v.message());
    }

    private Outcome<Reported> failed(RunnerCalls.Report in) {
        return apply(
                in,
                (run, by, report) -> {
                    var error = report.error();
                    var why = error == null ? "the runner gave no reason" : error;
                    return reports.report()
                            .failed(run, by, Bounds.lastOf(why, Bounds.REASON_CHARS_MAX));
                });
    }

    private Outcome<Reported> stopped(RunnerCalls.Report in) {
        return apply(
                in,
                (run, by, report) -> {
                    var signal = report.signal();
                    var how = signal == null ? "no signal" : signal;
                    return reports.report()
                            .stopped(run, by, Bounds.lastOf(how, Bounds.REASON_CHARS_MAX));
                });
    }

    /** Finds the holder and applies its report in one transaction: no lease moves in between. */
    private Outcome<Reported> apply(RunnerCalls.Report in, Told told) {
        var id = new RunId(in.runId());
        var report = in.report();
        return transactions.write(() ->
                holder(id, report)
                        .then(by -> told.by(id, by, report))
                        .map(run -> storeOutput(run, report))
                        .map(run ->
                                new Reported(
                                        true,
                                        run.id().value(),
                                        Words.ofRun(RunWord.of(run.state())),
                                        null)));
    }

    private Run storeOutput(Run run, ReportRequest body) {
        var printed = body.outputBytes();
        if (printed != null) runs.setOutput(run.id(), printed);
        return run;
    }

    /**
     * Returns the holder that reports. A fenced runner sends its fence. The original's runners have
     * none: such a runner must itself hold the lease of the run, or have ended the run.
     */
    private Outcome<Holder> holder(RunId id, ReportRequest body) {
        var runnerId = new RunnerId(String.valueOf(body.runnerId()));
        var runner = runners.find(runnerId);
        if (runner.isEmpty())
            return Outcome.refused(new RunRefusal.RunnerUnknown(runnerId.value()));
        if (body.fence() != null) return Outcome.done(new Holder(runnerId, body.fence()));
        var run = runs.find(id);
        if (run.isEmpty()) return Outcome.refused(new RunRefusal.RunUnknown(id.value()));
        var held = holderOf(run.get().state());
        boolean fits =
                runner.get().protocol() == Runner.Protocol.ORIGINAL
                        && held != null
                        && held.runner().equals(runnerId);
        return fits
                ? Outcome.done(Objects.requireNonNull(held))
                : Outcome.refused(new RunRefusal.LeaseLost(id, runnerId));
    }

    private static @Nullable Holder holderOf(RunState state) {
        var lease = state.held();
        if (lease != null) return lease.holder();
        return state instanceof RunState.Ended end ? end.by() : null;
    }

    private static Result result(ReportRequest body) {
        var data = body.resultData();
        var text = body.resultText();
        var said = data == null || data.isNull() ? null : data.toString();
        long size = bytes(text) + bytes(said);
        if (size > Bounds.RESULT_BYTES_MAX) {
            throw new Rejected(
                    new RequestRefusal.TooLarge("result", size, Bounds.RESULT_BYTES_MAX));
        }
        var json = said != null || text == null ? said : asJson(text);
        return new Result(text, json == null ? null : new JsonText(json));
    }

    /** Text that is JSON is data too. */
    private static @Nullable String asJson(String text) {
        var value = Json.valueOf(text);
        return value == null ? null : value.toString();
    }

    private static long bytes(@Nullable String text) {
        return text == null ? 0 : Bounds.bytesOf(text);
    }

    /** Ends the session of a program that stayed between two runs and has ended now. */
    private Outcome<RunnerCalls.SessionEnded> sessionEnded(RunnerCalls.SessionReport in) {
        return transactions.write(() -> ended(in));
    }

    private Outcome<RunnerCalls.SessionEnded> ended(RunnerCalls.SessionReport in) {
        if (!SessionId.isValid(in.sessionId())) {
            return Outcome.refused(new SessionRefusal.SessionUnknown(in.sessionId()));
        }
        var id = new SessionId(in.sessionId());
        var runnerId = new RunnerId(String.valueOf(in.runnerId()));
        if (runners.find(runnerId).isEmpty()) {
            return Outcome.refused(new RunRefusal.RunnerUnknown(runnerId.value()));
        }
        var last = runs.latestOf(id);
        var held = last.isEmpty() ? null : holderOf(last.get().state());
        if (held == null || !held.runner().equals(runnerId)) {
            var run = last.map(Run::id).orElse(new RunId("none"));
            return Outcome.refused(new RunRefusal.LeaseLost(run, runnerId));
        }
        return reports.stop()
                .programEnded(id, Shape.word(in.status()))
                .map(done ->
                        new RunnerCalls.SessionEnded(
                                true,
                                id.value(),
                                done.session().state() instanceof SessionState.Ended));
    }
}
