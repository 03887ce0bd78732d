package dev.coppice.operations.fleet;

import dev.coppice.access.Need;
import dev.coppice.blueprints.BlueprintText;
import dev.coppice.blueprints.ResultUsage;
import dev.coppice.budget.Amounts;
import dev.coppice.budget.Spending;
import dev.coppice.fleet.Leases;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.Operation;
import dev.coppice.run.Holder;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Ports;
import dev.coppice.run.ReportRun;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.RunWord;
import dev.coppice.run.Runs;
import dev.coppice.schema.JsonSchemas;
import dev.coppice.session.SessionState;
import dev.coppice.stop.StopSession;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.wire.fleet.RunReport;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.fleet.RunnerCalls.Reported;
import dev.coppice.work.Workplace;
import dev.coppice.work.Workplaces;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Takes the reports of runners about their runs. */
public record ReportOperations(
        Transactions transactions,
        Runners runners,
        Runs runs,
        ReportRun reportRun,
        StopSession stopSession,
        JsonSchemas schemas,
        Leases leases,
        Workplaces workplaces,
        Spending spending,
        Ports ports) {
    public List<Operation<?, ?>> all() {
        return List.of(
                started(),
                completed(),
                failed(),
                stopped(),
                Operation.of(RunnerCalls.SESSION_ENDED, Need.RUN, (_, in) -> sessionEnded(in)));
    }

    public Operation<RunReport.Started, Reported> started() {
        return Operation.of(RunnerCalls.STARTED, Need.RUN, (_, in) -> started(in));
    }

    public Operation<RunReport.Completed, Reported> completed() {
        return Operation.of(RunnerCalls.COMPLETED, Need.RUN, (_, in) -> completed(in));
    }

    public Operation<RunReport.Failed, Reported> failed() {
        return Operation.of(RunnerCalls.FAILED, Need.RUN, (_, in) -> failed(in));
    }

    public Operation<RunReport.Stopped, Reported> stopped() {
        return Operation.of(RunnerCalls.STOPPED, Need.RUN, (_, in) -> stopped(in));
    }

    private interface Told {
        Outcome<Run> by(RunId run, Holder holder);
    }

    private Outcome<Reported> started(RunReport.Started in) {
        return apply(
                in,
                null,
                (run, by) ->
                        reportRun
                                .confirmed(run, by, lease(by.runner()))
                                .map(confirmed -> storeWorkplace(confirmed, by.runner(), in)));
    }

    /** Stores the directory of the run: a removal looks for unsaved work there. */
    private Run storeWorkplace(Run run, RunnerId by, RunReport.Started in) {
        var place = in.workplace();
        var runner = runners.find(by);
        if (place != null && runner.isPresent()) {
            workplaces.note(
                    new Workplace(
                            run.session(),
                            runner.get().post().hostname(),
                            place.directory(),
                            place.made() ? Workplace.Made.BY_COPPICE : Workplace.Made.BY_OTHERS,
                            place.outputs()));
        }
        return run;
    }

    private Duration lease(RunnerId runner) {
        return runners.find(runner).map(r -> leases.ofRun(r.protocol())).orElse(Duration.ZERO);
    }

    private Outcome<Reported> completed(RunReport.Completed in) {
        // Parsed before the transaction: a large result takes time.
        var result = result(in);
        var id = new RunId(in.runId());
        while (true) {
            // Checked outside of the transaction: a schema can take seconds.
            var judged = judged(id, result);
            var outcome = transactions.write(() -> completed(in, result, judged));
            if (outcome.isPresent()) return outcome.get();
        }
    }

    /** The result data of a run, its violation of the schema if any, and the reported usage. */
    private record Judged(@Nullable JsonText brought, Optional<String> broken, Amounts usage) {}

    private Judged judged(RunId id, Result result) {
        var run = transactions.read(() -> runs.find(id));
        if (run.isEmpty()) return new Judged(result.data(), Optional.empty(), Amounts.NONE);
        var brought = brought(run.get(), result);
        var definition = Views.json(run.get().task().definition());
        var told = brought == null ? null : Views.json(brought);
        var usage = ResultUsage.in(definition, told);
        return new Judged(brought, violation(definition, told), usage);
    }

    private static @Nullable JsonText brought(Run run, Result result) {
        return result.isEmpty() ? run.result().data() : result.data();
    }

    /** Empty if the agent has reported another result since this one was checked. */
    private Optional<Outcome<Reported>> completed(
            RunReport.Completed in, Result result, Judged judged) {
        var run = runs.find(new RunId(in.runId()));
        var now = run.map(r -> brought(r, result)).orElse(judged.brought());
        if (!Objects.equals(now, judged.brought())) return Optional.empty();
        var correction = correction(in, judged.broken());
        return Optional.of(
                correction.isPresent()
                        ? Outcome.done(new Reported(true, null, null, correction.get()))
                        : apply(
                                in,
                                in.outputBytes(),
                                (id, by) -> {
                                    boolean isFirst =
                                            run.filter(r -> r.state().held() != null).isPresent();
                                    var ended =
                                            judged.broken().isPresent()
                                                    ? reportRun.failed(
                                                            id, by, judged.broken().get())
                                                    : reportRun.completed(
                                                            id, by, result, after(in));
                                    // A repeated report must not count twice.
                                    return isFirst
                                            ? ended.map(r -> counted(r, judged.usage()))
                                            : ended;
                                }));
    }

    private Run counted(Run run, Amounts usage) {
        if (!usage.equals(Amounts.NONE)) {
            spending.spend(ports, run.session(), usage);
        }
        return run;
    }

    /**
     * The correction for an agent whose result breaks its schema. It is sent once, and only through
     * a runner that supports corrections.
     */
    private Optional<String> correction(RunReport.Completed in, Optional<String> broken) {
        var attempt = in.attempt();
        if (broken.isEmpty() || attempt == null) return Optional.empty();
        var id = new RunId(in.runId());
        // Scripts cannot follow a correction: they would only repeat their result.
        boolean canBeCorrected =
                runs.find(id)
                        .map(r -> BlueprintText.canBeCorrected(Views.json(r.task().definition())))
                        .orElse(true);
        if (!canBeCorrected) return Optional.empty();
        var by = new Holder(new RunnerId(in.runnerId()), in.fence());
        return reportRun.sendBackOnce(id, by, attempt)
                ? broken.map(b ->
                        b
                                + ". Please give the whole result again, as one JSON value that"
                                + " fits the schema, and nothing else.")
                : Optional.empty();
    }

    private static MoveRun.After after(RunReport.Completed in) {
        return "idle".equals(in.sessionStatus()) ? MoveRun.After.IDLE : MoveRun.After.FINISHED;
    }

    /** Describes how the data breaks the blueprint's output_schema; such a run fails. */
    private Optional<String> violation(JsonNode definition, @Nullable JsonNode data) {
        var schema = BlueprintText.outputSchema(definition);
        if (schema == null) return Optional.empty();
        if (data == null) {
            return Optional.of("The result is not JSON, but the blueprint has an output_schema");
        }
        return schemas.violations(schema, data).stream()
                .findFirst()
                .map(v -> "The result breaks the output_schema: " + v.path() + " " + v.message());
    }

    private Outcome<Reported> failed(RunReport.Failed in) {
        return apply(
                in,
                in.outputBytes(),
                (run, by) -> {
                    var error = in.error();
                    var why = error == null ? "the runner gave no reason" : error;
                    return reportRun.failed(run, by, Bounds.lastOf(why, Bounds.REASON_CHARS_MAX));
                });
    }

    private Outcome<Reported> stopped(RunReport.Stopped in) {
        return apply(
                in,
                in.outputBytes(),
                (run, by) -> {
                    var signal = in.signal();
                    var how = signal == null ? "no signal" : signal;
                    return reportRun.stopped(run, by, Bounds.lastOf(how, Bounds.REASON_CHARS_MAX));
                });
    }

    /** Applies the report of a registered runner in one transaction: no lease moves meanwhile. */
    private Outcome<Reported> apply(RunReport in, @Nullable Long printed, Told told) {
        var id = new RunId(in.runId());
        var by = new Holder(new RunnerId(in.runnerId()), in.fence());
        return transactions.write(() -> {
            if (runners.find(by.runner()).isEmpty()) {
                return Outcome.refused(new RunRefusal.RunnerUnknown(in.runnerId()));
            }
            return told.by(id, by).map(run -> reported(run, printed));
        });
    }

    private Reported reported(Run run, @Nullable Long printed) {
        if (printed != null) runs.setOutput(run.id(), printed);
        return new Reported(true, run.id().value(), Words.ofRun(RunWord.of(run.state())), null);
    }

    private static @Nullable Holder holderOf(RunState state) {
        var lease = state.held();
        if (lease != null) return lease.holder();
        return state instanceof RunState.Ended end ? end.by() : null;
    }

    private static Result result(RunReport.Completed body) {
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

    /** Text that is JSON is data, too. */
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
        return stopSession
                .programEnded(id, Shape.word(in.status()))
                .map(done ->
                        new RunnerCalls.SessionEnded(
                                true,
                                id.value(),
                                done.session().state() instanceof SessionState.Ended));
    }
}
