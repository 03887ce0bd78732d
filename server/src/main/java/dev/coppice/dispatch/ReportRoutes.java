package dev.coppice.dispatch;

import dev.coppice.access.Need;
import dev.coppice.agent.Schemas;
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
import dev.coppice.kernel.Transactions;
import dev.coppice.run.Holder;
import dev.coppice.run.MoveRun;
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
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.ReportRequest;
import dev.coppice.work.Workplace;
import dev.coppice.work.Workplaces;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What runners report of their runs. */
public final class ReportRoutes {
    private final Transactions transactions;
    private final Runners runners;
    private final Runs runs;
    private final Reports reports;

    /** The commands that take a report, and what holds a result against its schema. */
    public record Reports(
            ReportRun report,
            StopSession stop,
            Schemas schemas,
            Leases leases,
            Workplaces workplaces) {}

    public ReportRoutes(Transactions transactions, Runners runners, Runs runs, Reports reports) {
        this.transactions = transactions;
        this.runners = runners;
        this.runs = runs;
        this.reports = reports;
    }

    public List<Route> routes() {
        return List.of(
                report("started", "The claim is confirmed and the process starts", this::started),
                report("completed", "The run is done", this::completed),
                report("failed", "The run broke", this::failed),
                report("stopped", "The run was stopped", this::stopped),
                Route.post(
                        "/runner/sessions/{id}/status",
                        Need.RUN,
                        "How a session between two runs ended",
                        this::sessionEnded));
    }

    private static Route report(String what, String summary, Route.Action action) {
        return Route.post("/runner/runs/{run}/" + what, Need.RUN, summary, action)
                .takes(ReportRequest.class);
    }

    private interface Told {
        Outcome<Run> by(RunId run, Holder holder, ReportRequest body);
    }

    private Reply started(Exchange x) {
        return told(
                x,
                (run, by, body) ->
                        reports.report()
                                .confirmed(run, by, lease(by.runner()))
                                .map(confirmed -> noted(confirmed, by.runner(), body)));
    }

    /** Where it works is where its work is looked for when it goes. */
    private Run noted(Run run, RunnerId by, ReportRequest body) {
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

    private Reply completed(Exchange x) {
        // Read before the transaction: a large result takes its time.
        var body = x.body(ReportRequest.class);
        var result = result(body);
        var id = new RunId(x.path("run"));
        while (true) {
            // Held against the schema outside of the transaction: that can take seconds.
            var judged = judged(id, result);
            var reply = transactions.write(() -> completed(x, body, result, judged));
            if (reply.isPresent()) return reply.get();
        }
    }

    /** What the run brings, and what is wrong with it if anything is. */
    private record Judged(@Nullable JsonText brought, Optional<String> broken) {}

    private Judged judged(RunId id, Result result) {
        var run = transactions.read(() -> runs.find(id));
        if (run.isEmpty()) return new Judged(result.data(), Optional.empty());
        var brought = brought(run.get(), result);
        return new Judged(brought, promiseBroken(run.get(), brought));
    }

    private static @Nullable JsonText brought(Run run, Result result) {
        return result.isEmpty() ? run.result().data() : result.data();
    }

    /** Nothing when the agent has told another result since it was judged. */
    private Optional<Reply> completed(
            Exchange x, ReportRequest body, Result result, Judged judged) {
        var run = runs.find(new RunId(x.path("run")));
        var now = run.map(r -> brought(r, result)).orElse(judged.brought());
        if (!Objects.equals(now, judged.brought())) return Optional.empty();
        var correction = correction(x, body, judged.broken());
        return Optional.of(
                correction.isPresent()
                        ? Reply.ok(Json.object().put("ok", true).put("retry", correction.get()))
                        : told(
                                x,
                                (id, by, b) ->
                                        judged.broken().isPresent()
                                                ? reports.report()
                                                        .failed(id, by, judged.broken().get())
                                                : reports.report()
                                                        .completed(id, by, result, after(b))));
    }

    /**
     * What the agent is told whose result is not what was promised: once, and only through a runner
     * that knows how to tell it.
     */
    private Optional<String> correction(Exchange x, ReportRequest body, Optional<String> broken) {
        var id = new RunId(x.path("run"));
        boolean played =
                runs.find(id)
                        .map(r -> Views.json(r.task().definition()).get("kind"))
                        .map(kind -> kind.isString() && kind.asString().equals("scripted"))
                        .orElse(false);
        // A script would be played again as it is, and what it is told would be no script.
        if (broken.isEmpty() || played || body.attempt() == null || body.fence() == null) {
            return Optional.empty();
        }
        var by = new Holder(new RunnerId(String.valueOf(body.runnerId())), body.fence());
        return reports.report().isSentBack(id, by, body.attempt())
                ? broken.map(b ->
                        b
                                + ". Please give the whole result again, as one JSON value that"
                                + " fits the schema, and nothing else.")
                : Optional.empty();
    }

    private static MoveRun.After after(ReportRequest body) {
        return "idle".equals(body.sessionStatus()) ? MoveRun.After.IDLE : MoveRun.After.FINISHED;
    }

    /** A result that is not what its blueprint promises is no result: the run has failed. */
    private Optional<String> promiseBroken(Run run, @Nullable JsonText data) {
        var schema = Views.json(run.task().definition()).get("output_schema");
        if (schema == null || schema.isNull()) return Optional.empty();
        if (data == null) {
            return Optional.of("The result is not JSON, but the blueprint has an output_schema");
        }
        return reports.schemas().violations(new JsonText(schema.toString()), data).stream()
                .findFirst()
                .map(v -> "The result breaks the output_schema: " + v.path() + " " + v.message());
    }

    private Reply failed(Exchange x) {
        return told(
                x,
                (run, by, body) -> {
                    var said = body.error() == null ? "the runner gave no reason" : body.error();
                    return reports.report()
                            .failed(run, by, Bounds.lastOf(said, Bounds.REASON_CHARS_MAX));
                });
    }

    private Reply stopped(Exchange x) {
        return told(
                x,
                (run, by, body) -> {
                    var how = body.signal() == null ? "stopped" : "stopped by " + body.signal();
                    return reports.report()
                            .stopped(run, by, Bounds.lastOf(how, Bounds.REASON_CHARS_MAX));
                });
    }

    /**
     * Finding the holder and taking its word are one transaction; a lease cannot move in between.
     */
    private Reply told(Exchange x, Told told) {
        var body = x.body(ReportRequest.class);
        var id = new RunId(x.path("run"));
        return transactions.write(() ->
                x.reply(
                        holder(id, body)
                                .then(by -> told.by(id, by, body))
                                .map(run -> counted(run, body)),
                        run ->
                                Reply.ok(
                                        Json.object()
                                                .put("ok", true)
                                                .put("run_id", run.id().value())
                                                .put(
                                                        "status",
                                                        Words.ofRun(RunWord.of(run.state()))))));
    }

    private Run counted(Run run, ReportRequest body) {
        var printed = body.outputBytes();
        if (printed != null) runs.setOutput(run.id(), printed);
        return run;
    }

    /**
     * One of ours names its fence. The original's runners know none: theirs is that of the lease or
     * the end that this very runner has of this very run, and nobody else's.
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
            throw new dev.coppice.web.Rejected(
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

    /**
     * A program that stayed between two turns has gone; without a live run the stop is done at
     * once.
     */
    private Reply sessionEnded(Exchange x) {
        var body = x.body(ReportRequest.class);
        var id = x.session();
        if (body.status() == null
                || !List.of("finished", "failed", "stopped").contains(body.status())) {
            return Problems.reply(
                    new RequestRefusal.BadValue(
                            "status",
                            String.valueOf(body.status()),
                            "finished, failed or stopped"));
        }
        return transactions.write(() -> ended(x, id, body));
    }

    private Reply ended(Exchange x, SessionId id, ReportRequest body) {
        var runnerId = new RunnerId(String.valueOf(body.runnerId()));
        if (runners.find(runnerId).isEmpty()) {
            return Problems.reply(new RunRefusal.RunnerUnknown(runnerId.value()));
        }
        var last = runs.latestOf(id);
        var held = last.isEmpty() ? null : holderOf(last.get().state());
        if (held == null || !held.runner().equals(runnerId)) {
            var run = last.map(Run::id).orElse(new RunId("none"));
            return Problems.reply(new RunRefusal.LeaseLost(run, runnerId));
        }
        var how = String.valueOf(body.status());
        return x.reply(
                reports.stop().programEnded(id, how),
                done ->
                        Reply.ok(
                                Json.object()
                                        .put("ok", true)
                                        .put("session_id", id.value())
                                        .put(
                                                "ended",
                                                done.session().state()
                                                        instanceof SessionState.Ended)));
    }
}
